/**
 * Numbers whose sums of squares are numbers.
 * @module
 */
/** The square of its square is a number, and so is a sum of many. */
const LARGEST = 1e60;

/** Whether all are; not where one is NaN. */
export function areSquarable(values: Float64Array): boolean {
  // A callback for every number would take ten times as long.
  for (const value of values) if (!(Math.abs(value) <= LARGEST)) return false;
  return true;
}

/** The nearest number that is; NaN of NaN. */
export const squarable = (value: number): number => Math.max(-LARGEST, Math.min(value, LARGEST));
