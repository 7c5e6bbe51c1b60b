/**
 * Inner products and multiples of vectors outside the kernels' memory, in plain loops.
 * @module
 */

/** a . b, summed from the first entry to the last. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += a[j]! * b[j]!;
  return sum;
}

/** The sum of all entries, from the first to the last. */
export function sum(values: Float64Array): number {
  const { length } = values;
  let all = 0;
  for (let k = 0; k < length; k++) all += values[k]!;
  return all;
}

/** x <- x + c v, for vectors of one length. */
export function addMultiple(x: Float64Array, c: number, v: Float64Array): void {
  for (let j = 0; j < x.length; j++) x[j]! += c * v[j]!;
}
