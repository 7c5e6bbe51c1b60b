/**
 * Symmetric matrices as vectors, lower triangle row by row: of the same norm, [A_ii, sqrt(2) A_ij], or as they are.
 * @module
 */

/** Numbers of a symmetric matrix of order d. */
export const triangle = (d: number) => (d * (d + 1)) / 2;

/** Writes `scale` times A[d, d] into `into`, [d (d + 1) / 2], whose norm is then its Frobenius norm. */
export function packed(a: Float64Array, d: number, scale: number, into: Float64Array): void {
  let at = 0;
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) into[at++] = scale * a[i * d + j]! * (i === j ? 1 : Math.SQRT2);
  }
}

/** The matrix that was packed. @param out where it goes, [d, d]. */
export function unpacked(
  v: Float64Array,
  d: number,
  out: Float64Array = new Float64Array(d * d),
): Float64Array {
  let at = 0;
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) {
      const value = v[at++]! * (i === j ? 1 : Math.SQRT1_2);
      out[i * d + j] = value;
      out[j * d + i] = value;
    }
  }
  return out;
}

/** The lower triangle as it is. */
export function packedTriangle(a: Float64Array, d: number): Float64Array {
  const out = new Float64Array(triangle(d));
  for (let i = 0, at = 0; i < d; i++) for (let j = 0; j <= i; j++) out[at++] = a[i * d + j]!;
  return out;
}

/** The lower triangular matrix of a triangle. */
export function lowerTriangle(v: Float64Array, d: number): Float64Array {
  const out = new Float64Array(d * d);
  for (let i = 0, at = 0; i < d; i++) for (let j = 0; j <= i; j++) out[i * d + j] = v[at++]!;
  return out;
}

/** x^T A x for x [d]. @param from where A's triangle, as it is, begins in `triangles`. */
export function quadraticForm(triangles: Float64Array, x: Float64Array, from = 0): number {
  let [form, at] = [0, from];
  for (let i = 0; i < x.length; i++) {
    let along = 0;
    for (let j = 0; j < i; j++) along += 2 * x[j]! * triangles[at++]!;
    form += x[i]! * (along + x[i]! * triangles[at++]!);
  }
  return form;
}
