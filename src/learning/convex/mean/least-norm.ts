/**
 * Solving symmetric positive semidefinite systems whose null space carries only rounding.
 * @module
 */
import { eigh } from "../../../linalg/index.js";

/** Eigenvalues below this times the largest count as zero. */
const NEGLIGIBLE = 1e-13;

/** x of least norm with A x = b up to the negligible part of A[d,d]; b in the range of A. */
export function leastNormSolver(a: Float64Array, d: number): (b: Float64Array) => Float64Array {
  const { values, vectors } = eigh(a, d);
  return (b) => {
    const x = new Float64Array(d);
    for (let k = 0; k < d && values[k]! > NEGLIGIBLE * values[0]!; k++) {
      let along = 0;
      for (let j = 0; j < d; j++) along += vectors[j * d + k]! * b[j]!;
      along /= values[k]!;
      for (let j = 0; j < d; j++) x[j]! += along * vectors[j * d + k]!;
    }
    return x;
  };
}

/** Sum over tasks of rows V[m,d]: [d]. */
export function sumOfRows(v: Float64Array, m: number, d: number): Float64Array {
  const sum = new Float64Array(d);
  for (let i = 0; i < m; i++) for (let j = 0; j < d; j++) sum[j]! += v[i * d + j]!;
  return sum;
}
