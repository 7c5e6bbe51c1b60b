/**
 * Whether numbers are finite, of arrays that are long or asked for often.
 * @module
 */

/** A plain loop: a round of ten thousand tasks asks this of millions of numbers. */
export function allFinite(values: Float64Array): boolean {
  for (const value of values) if (!Number.isFinite(value)) return false;
  return true;
}
