/**
 * The largest of many numbers: `Math.max(...values)` overflows the stack from some hundred thousand on.
 * @module
 */

/** The largest of numbers that are at least 0; 0 of none, NaN if one is NaN. */
export function largest(values: Float64Array): number {
  const { length } = values;
  let most = 0;
  for (let k = 0; k < length; k++) most = Math.max(most, values[k]!);
  return most;
}

/** The largest absolute value; 0 of none, NaN if one is NaN. */
export function largestMagnitude(values: Float64Array): number {
  const { length } = values;
  let most = 0;
  for (let k = 0; k < length; k++) most = Math.max(most, Math.abs(values[k]!));
  return most;
}
