/**
 * The l2 norm of vectors outside the kernels' memory.
 * @module
 */

/** ||v||_2, by a plain sum of squares: entries beyond 1e154 overflow it. */
export function norm(v: Float64Array): number {
  return Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
}

/** A copy of v whose norm is at most `most`; zeros if its norm is not finite. */
export function clippedTo(v: Float64Array, most: number): Float64Array {
  const length = norm(v);
  if (!Number.isFinite(length)) return new Float64Array(v.length);
  return length <= most ? v.slice() : v.map((x) => x * (most / length));
}
