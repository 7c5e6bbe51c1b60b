/**
 * Numbers whose sums of squares are numbers.
 * @module
 */
/** The square of its square is a number, and so is a sum of many. */
const LARGEST = 1e60;
/** Numbers whose squares sum to less are not near it. */
const FAR_BELOW = 1e119;

/** Whether all are; not where one is NaN. */
export function areSquarable(values: Float64Array): boolean {
  const { length } = values;
  let k = 0;
  // Four at a time: rows are millions of numbers, which one thread asks of while the others wait.
  for (; k + 3 < length; k += 4) {
    const a = values[k]!;
    const b = values[k + 1]!;
    const c = values[k + 2]!;
    const d = values[k + 3]!;
    if (a * a + b * b + c * c + d * d < FAR_BELOW) continue;
    if (!(isHeld(a) && isHeld(b) && isHeld(c) && isHeld(d))) return false;
  }
  while (k < length && isHeld(values[k]!)) k++;
  return k === length;
}

const isHeld = (value: number): boolean => Math.abs(value) <= LARGEST;

/** The nearest number that is; NaN of NaN. */
export const squarable = (value: number): number => Math.max(-LARGEST, Math.min(value, LARGEST));
