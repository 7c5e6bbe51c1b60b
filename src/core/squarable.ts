/**
 * Numbers whose sums of squares are numbers.
 * @module
 */
/** The square of its square is a number, and so is a sum of many. */
const LARGEST = 1e60;

/** Whether all are; not where one is NaN. */
export function areSquarable(values: Float64Array): boolean {
  // Neither a callback nor an iterator, which takes four to ten times as long.
  let k = 0;
  while (k < values.length && Math.abs(values[k]!) <= LARGEST) k++;
  return k === values.length;
}

/** The nearest number that is; NaN of NaN. */
export const squarable = (value: number): number => Math.max(-LARGEST, Math.min(value, LARGEST));
