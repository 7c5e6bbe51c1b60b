/**
 * Kernels of matrix products and factorisations: `assembly/blas`, `eigen`, `svd`, `cholesky`, `definite-inverse`.
 * @module
 */
import type { Pointer } from "./pointer.js";

/** Matrix products and factorisations: assembly/blas, eigen, svd, cholesky, definite-inverse. */
export interface LinearAlgebraKernels {
  /** Index of the first of n entries that is NaN or infinite; n if all are finite. */
  firstNonFinite(x: Pointer, n: number): number;
  /** Index of the first row of X[rows,d] of which the squares of `unit` x do not sum to at most `limit`; rows if none. */
  firstLongRow(x: Pointer, rows: number, d: number, unit: number, limit: number): number;
  /** A <- (A + A^T) / 2 for A[n,n]; returns the largest |a_ij - a_ji| relative to the largest |a_ij|. */
  symmetrize(a: Pointer, n: number): number;
  /** C[m,n] = A[m,k] B[k,n]. C must not overlap A or B. */
  gemm(a: Pointer, b: Pointer, c: Pointer, m: number, k: number, n: number, work: Pointer): void;
  /** Bytes of scratch memory that `gemm` needs at `work`. */
  gemmWorkspace(m: number, k: number, n: number): number;
  /** C[n,n] = A^T A for A[m,n]; both triangles written. */
  syrk(a: Pointer, c: Pointer, m: number, n: number, work: Pointer): void;
  /** Bytes of scratch memory that `syrk` needs at `work`. */
  syrkWorkspace(m: number, n: number): number;
  /** B[cols,rows] = A[rows,cols]^T. */
  transpose(a: Pointer, b: Pointer, rows: number, cols: number): void;
  /** out[j] = sum_i A[i,j]^2 for A[m,n]: the diagonal of A^T A. */
  columnSquares(a: Pointer, out: Pointer, m: number, n: number): void;
  /**
   * Symmetric eigendecomposition. A[n,n] is destroyed. values[n] descending; column j of
   * vectors[n,n] (0: not wanted) belongs to value j. Returns 0, or 1 if the iteration did not converge.
   */
  eigh(a: Pointer, values: Pointer, vectors: Pointer, n: number, work: Pointer): number;
  /**
   * out[n,n] = I - threshold A^{-1/2} and 2, where n is at most 128, all eigenvalues of A are above threshold^2 and the largest is at
   * most some hundred times the smallest, which takes half the time; else, or with 0 for out, the values as `eigh` has them, and 0 or 1
   * as it has. A is destroyed but where 2 is returned.
   */
  shrinkOrValues(
    a: Pointer,
    values: Pointer,
    n: number,
    threshold: number,
    out: Pointer,
    work: Pointer,
  ): number;
  /**
   * vectors[n,count] = those of the largest values, column j of value j, after `shrinkOrValues` has returned 0 and while A and work are
   * as it left them: no other decomposition in between. From 69 values on fewer of them take less time.
   */
  largestVectors(vectors: Pointer, n: number, count: number): void;
  /** As `eigh`, in three quarters of the time up to the order 68, with other last bits. */
  rationalEigh(a: Pointer, values: Pointer, vectors: Pointer, n: number, work: Pointer): number;
  /** Bytes of scratch memory that `eigh`, `rationalEigh` and `shrinkOrValues` need at `work`. */
  eighWorkspace(n: number): number;
  /**
   * A = Q T Q^T for symmetric A[ld,ld], ld = n rounded up to a multiple of four, padded with zeros: row j right of the
   * diagonal becomes the vector of reflector j, of factor tau[n]; d[n] and e[n] are T's diagonal and what is beside it.
   * The largest entry should be about 1.
   */
  tridiagonalise(
    a: Pointer,
    n: number,
    ld: number,
    d: Pointer,
    e: Pointer,
    tau: Pointer,
    work: Pointer,
  ): void;
  /** Bytes of scratch memory that `tridiagonalise` needs at `work`. */
  tridiagonaliseWorkspace(n: number): number;
  /**
   * Thin SVD of A[rows,cols] (destroyed), r = min(rows, cols): U[rows,r], s[r] descending,
   * V[cols,r], A = U diag(s) V^T. Returns 0, or 1 if the iteration did not converge.
   */
  svd(
    a: Pointer,
    u: Pointer,
    s: Pointer,
    v: Pointer,
    rows: number,
    cols: number,
    work: Pointer,
  ): number;
  /** Bytes of scratch memory that `svd` needs at `work`. */
  svdWorkspace(rows: number, cols: number): number;
  /**
   * Cholesky factor of symmetric A[n,n] in place: lower triangle L, upper triangle zeroed.
   * Returns 0, or the 1-based index of the first pivot that is not positive.
   */
  cholesky(a: Pointer, n: number): number;
  /** Solves L L^T X = B in place for B[n,nrhs], L from `cholesky`. */
  choleskySolve(l: Pointer, b: Pointer, n: number, nrhs: number): void;
  /**
   * root[n,n] = L^-1 and inverse[n,n] = L^-T L^-1 for L L^T = A[n,n] with 1e-10 of its mean diagonal added to it, by the operations of
   * src/linalg/small-matrices.ts. Returns 0, or the 1-based index of the first pivot that is not positive.
   */
  definiteInverse(a: Pointer, n: number, root: Pointer, inverse: Pointer, work: Pointer): number;
  /** Bytes of scratch memory that `definiteInverse` needs at `work`. */
  definiteInverseWorkspace(n: number): number;
  /** out[n,n] = sum_{j<r} scales[j] u_j u_j^T, u_j column j of vectors[n,r]. */
  spectralProduct(
    vectors: Pointer,
    scales: Pointer,
    out: Pointer,
    n: number,
    r: number,
    work: Pointer,
  ): void;
  /** panels <- A - I in single precision for symmetric A[d,d], f32[d (d + 1) / 2] its lower triangle, row by row. */
  singlePanels(triangle: Pointer, panels: Pointer, d: number): void;
  /** Bytes of the panels of A[d,d]. */
  singlePanelsBytes(d: number): number;
  /**
   * Out[m,d] = X A, that is X + X (A - I), the latter in single precision: within (514 + d / 512) 2^-24 of |X| |A - I|. Out must not
   * overlap X; each row's result depends on that row and A only.
   */
  singleProduct(
    x: Pointer,
    panels: Pointer,
    out: Pointer,
    m: number,
    d: number,
    work: Pointer,
  ): void;
  /** Bytes of scratch memory that `singleProduct` needs at `work`. */
  singleProductWorkspace(m: number, d: number): number;
  /** Bytes of scratch memory that `spectralProduct` needs at `work`. */
  spectralProductWorkspace(n: number, r: number): number;
}
