/**
 * Numbers that several threads see.
 * @module
 */

/** n float64, 0, in shared memory where the host has it. */
export function sharedArray(n: number): Float64Array {
  return typeof SharedArrayBuffer === "function"
    ? new Float64Array(new SharedArrayBuffer(8 * n))
    : new Float64Array(n);
}
