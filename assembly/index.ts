/** Everything TypeScript may call; the contract is src/core/kernels.ts. */
export { momentumAngle } from "./momentum";
export { gemm, gemmWorkspace } from "./blas/gemm";
export { spectralProduct, spectralProductWorkspace, syrk, syrkWorkspace } from "./blas/symmetric";
export { columnSquares, transpose } from "./blas/transpose";
export { cholesky, choleskySolve } from "./cholesky";
export { eigh, eighWorkspace } from "./eigen/eigh";
export { svd, svdWorkspace } from "./svd";
export { axpy } from "./proximal";

/** First byte that TypeScript's arena may use: past the kernels' constant tables. */
export function heapBase(): usize {
  return __heap_base;
}
