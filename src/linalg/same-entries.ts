/**
 * Whether vectors of numbers are the same, entry by entry.
 * @module
 */

/** Of vectors of one length; a NaN is never the same. */
export function sameEntries(a: Float64Array, b: Float64Array): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
