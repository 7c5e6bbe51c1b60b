/**
 * Whether numbers are finite, of arrays that are long or asked for often.
 * @module
 */

/** A loop by the index: a round of ten thousand tasks asks this of millions of numbers. */
export function allFinite(values: Float64Array): boolean {
  const { length } = values;
  for (let k = 0; k < length; k++) if (!Number.isFinite(values[k])) return false;
  return true;
}
