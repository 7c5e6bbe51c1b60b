/**
 * A symmetric matrix from its eigenvectors.
 * @module
 */
import { multiply, scaledColumns, transpose } from "../../../../linalg/small-matrices.js";

/** U diag(f(values)) U^T for the columns of U. */
export function fromEigen(
  vectors: Float64Array,
  values: ArrayLike<number>,
  n: number,
): Float64Array {
  return multiply(scaledColumns(vectors, values), transpose(vectors, n, n), n, n, n);
}
