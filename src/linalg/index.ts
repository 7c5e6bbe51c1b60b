export {
  cholesky,
  eigh,
  eighInto,
  svd,
  type Eigendecomposition,
  type SingularValueDecomposition,
} from "./decompositions.js";
export { gemm, syrk } from "./products.js";
