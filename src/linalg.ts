/**
 * Linear algebra on row-major Float64Array: the entry point `mp-mtl/linalg`.
 *
 * The Wishart sampler joins here because imports in src/ point down: it lives in random.
 * @module
 */
export {
  cholesky,
  eigh,
  gemm,
  svd,
  syrk,
  type Eigendecomposition,
  type SingularValueDecomposition,
} from "./linalg/index.js";
export {
  sampleWishart,
  type RandomOptions,
  type RandomStream,
  type WishartOptions,
} from "./random/index.js";
