/**
 * Linear algebra on arrays of rows, for writing the papers' algorithms down as they are printed, apart from the library.
 * @module
 */

export type Vector = readonly number[];
export type Matrix = readonly Vector[];

export const dot = (a: Vector, b: Vector) => a.reduce((sum, value, j) => sum + value * b[j]!, 0);
export const plus = (a: Vector, b: Vector, factor = 1) =>
  a.map((value, j) => value + factor * b[j]!);
export const times = (factor: number, a: Vector) => a.map((value) => factor * value);
export const apply = (matrix: Matrix, x: Vector) => matrix.map((row) => dot(row, x));
export const norm = (a: Vector) => Math.sqrt(dot(a, a));

/** w / max(1, ||w|| / K). */
export const clip = (w: Vector, K: number) => times(1 / Math.max(1, norm(w) / K), w);

/** Sum of w_i w_i^T. */
export const covariance = (models: Matrix): Matrix =>
  models[0]!.map((_, a) =>
    models[0]!.map((__, b) => models.reduce((s, w) => s + w[a]! * w[b]!, 0)),
  );

/** Eigenvalues and eigenvectors (columns of u) of a symmetric matrix, by Jacobi's rotations. */
export function eigen(symmetric: Matrix): { values: Vector; u: Matrix } {
  const n = symmetric.length;
  const a = symmetric.map((row) => [...row]);
  const u = a.map((_, i) => a.map((__, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 60; sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (a[p]![q] === 0) continue;
        const angle = Math.atan2(2 * a[p]![q]!, a[p]![p]! - a[q]![q]!) / 2;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        for (const row of [...a, ...u]) {
          const [x, y] = [row[p]!, row[q]!];
          [row[p], row[q]] = [c * x + s * y, c * y - s * x];
        }
        for (let k = 0; k < n; k++) {
          const [x, y] = [a[p]![k]!, a[q]![k]!];
          [a[p]![k], a[q]![k]] = [c * x + s * y, c * y - s * x];
        }
      }
    }
  }
  return { values: a.map((row, j) => row[j]!), u };
}
