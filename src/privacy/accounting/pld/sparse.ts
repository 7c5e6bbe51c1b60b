/**
 * Composition with rounds of very few atoms, directly: faster than a transform, and it only adds.
 * @module
 */

/** Weights at start, start + 1, … */
export interface Taps {
  start: number;
  weights: Float64Array;
}

const FEW_TAPS = 4;
const FEW_ROUNDS = 16;

/** Whether direct convolution is the better way for `count` such rounds. */
export function isSparse({ weights }: Taps, count: number): boolean {
  return count <= FEW_ROUNDS && weights.reduce((n, w) => n + (w > 0 ? 1 : 0), 0) <= FEW_TAPS;
}

/** out[k] = sum of four weighted neighbours of k on the circle. */
function convolveFour(x: Float64Array, out: Float64Array, { start, weights }: Taps): void {
  const n = x.length;
  const shift = [0, 0, 0, 0];
  const weight = [0, 0, 0, 0];
  let used = 0;
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue;
    shift[used] = (((start + i) % n) + n) % n;
    weight[used++] = weights[i]!;
  }
  const [w0, w1, w2, w3] = weight as [number, number, number, number];
  let [j0, j1, j2, j3] = shift.map((s) => (n - s) % n) as [number, number, number, number];
  for (let k = 0; k < n;) {
    // As far as none of the four wraps around.
    const end = Math.min(n, k + n - Math.max(j0, j1, j2, j3));
    for (; k < end; k++) {
      out[k] = w0 * x[j0++]! + w1 * x[j1++]! + w2 * x[j2++]! + w3 * x[j3++]!;
    }
    if (j0 === n) j0 = 0;
    if (j1 === n) j1 = 0;
    if (j2 === n) j2 = 0;
    if (j3 === n) j3 = 0;
  }
}

/** x convolved on the circle with every one of the taps. */
export function convolveSparse(x: Float64Array, taps: readonly Taps[]): Float64Array {
  let from: Float64Array = x;
  let to: Float64Array = new Float64Array(taps.length > 0 ? x.length : 0);
  for (const one of taps) {
    convolveFour(from, to, one);
    [from, to] = [to, from];
  }
  return from;
}
