/**
 * The determinants of Laplace's evidence of dense rows, many for each task: one for every point of the grid.
 * @module
 */
import { factor } from "../../../linalg/small-matrices.js";

/** One task's rows, X[n, q]. */
export interface Rows {
  readonly x: Float64Array;
  readonly n: number;
  readonly q: number;
}

/**
 * The Cholesky factor's diagonal of I + V^1/2 X^T R^2 X V^1/2, or of the matrix of rows that has its determinant, from
 * the roots R[n] of the rows' curvatures and the prior's variances V[q].
 */
export function laplacePivots(
  { x, n, q }: Rows,
  roots: Float64Array,
  variances: Float64Array,
): Float64Array {
  const scaled = scaledRows(x, q, roots, variances);
  const k = Math.min(n, q);
  const matrix = new Float64Array(k * k);
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = i === j ? 1 : 0;
      if (n < q) for (let c = 0; c < q; c++) sum += scaled[i * q + c]! * scaled[j * q + c]!;
      else for (let row = 0; row < n; row++) sum += scaled[row * q + i]! * scaled[row * q + j]!;
      matrix[i * k + j] = matrix[j * k + i] = sum;
    }
  }
  return diagonalOf(factor(matrix, k), k);
}

/** R X V^1/2. */
function scaledRows(
  x: Float64Array,
  q: number,
  roots: Float64Array,
  variances: Float64Array,
): Float64Array {
  const scaled = new Float64Array(x.length);
  const deviations = variances.map(Math.sqrt);
  for (let row = 0, k = 0; row < roots.length; row++) {
    for (let c = 0; c < q; c++, k++) scaled[k] = roots[row]! * x[k]! * deviations[c]!;
  }
  return scaled;
}

const diagonalOf = (l: Float64Array, k: number): Float64Array =>
  Float64Array.from({ length: k }, (_, i) => l[i * (k + 1)]!);
