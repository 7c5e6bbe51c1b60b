/**
 * The largest of as many numbers as there are tasks or entries: `Math.max(...values)` ends with the stack at some hundred thousand.
 * @module
 */

/** The largest of numbers that are at least 0; 0 of none, NaN if one is NaN. */
export function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

/** The largest absolute value; 0 of none, NaN if one is NaN. */
export function largestMagnitude(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}
