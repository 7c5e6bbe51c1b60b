/**
 * The inner product of vectors outside the kernels' memory.
 * @module
 */

/** a . b, summed from the first entry to the last. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += a[j]! * b[j]!;
  return sum;
}
