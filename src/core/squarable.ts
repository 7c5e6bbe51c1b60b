/**
 * Numbers whose sums of squares are numbers.
 * @module
 */
/** The square of its square is a number, and so is a sum of many. */
const LARGEST = 1e60;

/** Whether all are; not where one is NaN. */
export const areSquarable = (values: Float64Array): boolean =>
  values.every((value) => Math.abs(value) <= LARGEST);

/** The nearest number that is; NaN of NaN. */
export const squarable = (value: number): number => Math.max(-LARGEST, Math.min(value, LARGEST));
