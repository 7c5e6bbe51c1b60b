/**
 * Eigenvalues, singular values, Cholesky factors.
 * @module
 */
import { withCore } from "../core/core.js";
import { ConvergenceError } from "../core/errors.js";
import { copyMatrix, copySymmetric, matrix, size } from "./matrix.js";

/** A symmetric eigendecomposition A = V diag(values) V^T. */
export interface Eigendecomposition {
  /** n eigenvalues, descending. */
  values: Float64Array;
  /** [n, n], row-major; column j is the unit eigenvector of `values[j]`, its sign arbitrary. */
  vectors: Float64Array;
}

/**
 * Eigenvalues and eigenvectors of a symmetric matrix.
 *
 * Errors are relative to ||A||: residual and orthogonality within a small multiple of n 2^-53.
 *
 * @param a  [n, n], row-major, symmetric to 1e-12 of its largest entry; (A + A^T) / 2 is decomposed.
 * @throws RangeError if `a` is not symmetric; TypeError, RangeError, HostError as `gemm`.
 * @throws ConvergenceError if an iteration fails; none is known to.
 * @example eigh(new Float64Array([2, 1, 1, 2]), 2).values // [3, 1] up to rounding
 */
export function eigh(a: Float64Array, n: number): Eigendecomposition {
  size("n", n);
  matrix("a", a, n, n);
  return eighInto({ values: new Float64Array(n), vectors: new Float64Array(n * n) }, a, n);
}

/** The same of what is known to be one, into arrays that are there: [n], and [n, n], which may be `a`. */
export function eighInto(into: Eigendecomposition, a: Float64Array, n: number): Eigendecomposition {
  withCore((core) => {
    const { kernels, arena } = core;
    const workspace = kernels.eighWorkspace(n);
    arena.require(8 * (2 * a.length + n) + workspace, "eigh");
    const at = copySymmetric(core, a, n);
    const values = arena.f64(n);
    const vectors = arena.f64(n * n);
    const work = arena.bytes(workspace);
    converged("eigh", kernels.eigh(at, values, vectors, n, work));
    into.values.set(arena.view(values, n));
    into.vectors.set(arena.view(vectors, n * n));
  });
  return into;
}

/** A thin singular value decomposition A = U diag(s) V^T, r = min(rows, cols). */
export interface SingularValueDecomposition {
  /** [rows, r], row-major, orthonormal columns. */
  u: Float64Array;
  /** r singular values, descending, >= 0. */
  s: Float64Array;
  /** [cols, r], row-major, orthonormal columns (V, not its transpose). */
  v: Float64Array;
}

/**
 * Thin singular value decomposition.
 *
 * @param a  [rows, cols], row-major.
 * @throws TypeError, RangeError, HostError as `gemm`; ConvergenceError if an iteration fails.
 * @example svd(new Float64Array([3, 0, 0, 4]), 2, 2).s // [4, 3]
 */
export function svd(a: Float64Array, rows: number, cols: number): SingularValueDecomposition {
  size("rows", rows);
  size("cols", cols);
  matrix("a", a, rows, cols);
  const r = Math.min(rows, cols);
  return withCore((core) => {
    const { kernels, arena } = core;
    const workspace = kernels.svdWorkspace(rows, cols);
    arena.require(8 * (a.length + (rows + cols + 1) * r) + workspace, "svd");
    const at = copyMatrix(core, "a", a, cols);
    const u = arena.f64(rows * r);
    const s = arena.f64(r);
    const v = arena.f64(cols * r);
    const work = arena.bytes(workspace);
    converged("svd", kernels.svd(at, u, s, v, rows, cols, work));
    return {
      u: arena.view(u, rows * r).slice(),
      s: arena.view(s, r).slice(),
      v: arena.view(v, cols * r).slice(),
    };
  });
}

function converged(name: string, code: number): void {
  if (code !== 0) {
    throw new ConvergenceError(
      `${name}: the iteration did not converge. Please report the matrix's size and origin.`,
    );
  }
}

/**
 * Cholesky factor L of a symmetric positive definite matrix, A = L L^T.
 *
 * @param a  [n, n], row-major, symmetric to 1e-12 of its largest entry; (A + A^T) / 2 is factored.
 * @returns  [n, n], row-major, lower triangular with a positive diagonal.
 * @throws RangeError naming the first pivot that is not positive; else as {@link eigh}.
 * @example cholesky(new Float64Array([4, 2, 2, 2]), 2) // [2, 0, 1, 1]
 */
export function cholesky(a: Float64Array, n: number): Float64Array {
  size("n", n);
  matrix("a", a, n, n);
  return withCore((core) => {
    const { kernels, arena } = core;
    arena.require(8 * a.length, "cholesky");
    const at = copySymmetric(core, a, n);
    const failed = kernels.cholesky(at, n);
    if (failed !== 0) {
      throw new RangeError(
        `a: expected a positive definite matrix, pivot ${failed} of ${n} is not positive`,
      );
    }
    return arena.view(at, n * n).slice();
  });
}
