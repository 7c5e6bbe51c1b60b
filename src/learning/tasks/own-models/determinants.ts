/**
 * The determinants of Laplace's evidence, many for each task: one for every point of the grid.
 * @module
 */
import { cholesky, syrk } from "../../../linalg/index.js";
import { factor, transpose } from "../../../linalg/small-matrices.js";

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
export type Determinants = (
  rows: Rows,
) => (roots: Float64Array, variances: Float64Array) => Float64Array;

/** By the products of the scaled rows, each time anew. */
export const directly: Determinants =
  ({ x, n, q }) =>
  (roots, variances) => {
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
  };

/**
 * By products of the rows that are made once, for tasks with fewer rows than columns: the prior's variances are all one
 * but the last, of the constant column where there is one. Cost: n^3 / 3 flops each.
 */
export const byRowProducts: Determinants = (rows) => {
  const { x, n, q } = rows;
  if (n >= q) return byColumnProducts(rows);
  // All columns but the last.
  const slopes = transpose(x, n, q).subarray(0, n * (q - 1));
  const products = syrk(slopes, q - 1, n);
  return (roots, variances) => {
    const [slope, last] = [variances[0]!, variances[q - 1]!];
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const product = slope * products[i * n + j]! + last * x[i * q + q - 1]! * x[j * q + q - 1]!;
        matrix[i * n + j] = matrix[j * n + i] = roots[i]! * roots[j]! * product + (i === j ? 1 : 0);
      }
    }
    return diagonalOf(cholesky(matrix, n), n);
  };
};

const byColumnProducts: Determinants =
  ({ x, n, q }) =>
  (roots, variances) => {
    const matrix = syrk(scaledRows(x, q, roots, variances), n, q);
    for (let c = 0; c < q; c++) matrix[c * (q + 1)]! += 1;
    return diagonalOf(cholesky(matrix, q), q);
  };

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
