/** `ml-matrix`: plain JavaScript. @module */
import { CholeskyDecomposition, EigenvalueDecomposition, Matrix, SVD } from "ml-matrix";

export const name = "ml-matrix";

/** The calls of a case, and the values of their result. */
export function call({ kernel }, matrices) {
  const [a, b] = matrices.map(({ data, shape }) => Matrix.from1DArray(...shape, data));
  return {
    gemm: { run: () => a.mmul(b), values: (c) => c.to1DArray() },
    syrk: { run: () => a.transpose().mmul(a), values: (c) => c.to1DArray() },
    eigh: {
      run: () => new EigenvalueDecomposition(a, { assumeSymmetric: true }),
      values: ({ realEigenvalues }) => realEigenvalues,
    },
    svd: { run: () => new SVD(a, { autoTranspose: true }), values: ({ diagonal }) => diagonal },
    cholesky: {
      run: () => new CholeskyDecomposition(a),
      values: ({ lowerTriangularMatrix }) => lowerTriangularMatrix.to1DArray(),
    },
  }[kernel];
}
