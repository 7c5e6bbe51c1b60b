/**
 * Symmetric eigendecomposition.
 */
import { roundUp4 } from "../blas/gemm";
import { maxAbs, scale, unitScale } from "../blas/vector";
import { backTransform, backTransformWorkspace } from "./back-transform";
import { divideAndConquer, divideWorkspace, joinedVectors, toColumn } from "./divide";
import { formTransposedQ } from "./form-q";
import { implicitQl } from "./implicit-ql";
import { inverseRootWorkspace, shrinkClose } from "./inverse-root";
import { ascending } from "./order";
import { rationalQl } from "./rational-ql";
import { SMALL, tridiagonalise, tridiagonaliseWorkspace } from "./tridiagonalise";

/** Up to this order the QL method alone is quicker. */
const DIRECT: i32 = 68;

// Where the decomposition lies for which `largestVectors` may be asked; kernels run one at a time.
let reflectors: usize = 0; // f64[ld,ld]
let tau: usize = 0;
let order: usize = 0; // u32[n]: ascending
let scratch: usize = 0; // f64[2 ld]
let rest: usize = 0;

/**
 * A = V diag(values) V^T.
 *
 * a       f64[n,n], symmetric; destroyed
 * values  f64[n], descending
 * vectors f64[n,n], row-major, column j belongs to value j; 0: not wanted, which spares most of the time
 * Returns 0, or 1 if the iteration did not converge.
 *
 * The matrix is scaled by a power of two first, so that entries of 1e200 or 1e-200 do no harm.
 * Backward error: ||A - V diag(values) V^T|| and ||V^T V - I|| ||A|| within a small multiple of
 * n 2^-53 ||A||; small eigenvalues of a graded matrix have that absolute accuracy, not relative.
 */
export function eigh(a: usize, values: usize, vectors: usize, n: i32, work: usize): i32 {
  const failed = decompose(a, values, n, vectors != 0, 0, 0, work);
  if (vectors && !failed) largestVectors(vectors, n, n);
  return failed;
}

/**
 * As `eigh`, with the same bounds of errors and other last bits, in three quarters of the time up to the order 68.
 */
export function rationalEigh(a: usize, values: usize, vectors: usize, n: i32, work: usize): i32 {
  if (n > DIRECT) return eigh(a, values, vectors, n, work);
  const factor = tridiagonal(a, n, work);
  const ld = roundUp4(n);
  formTransposedQ(reflectors, ld, tau, n, rest, scratch);
  if (rationalQl(work, work + ((<usize>ld) << 3), n, rest, (<usize>ld) << 3, ld, scratch)) return 1;
  ascending(work, n, order);
  descendingValues(work, values, n, factor);
  largestVectors(vectors, n, n);
  return 0;
}

/**
 * The values as `eigh` has them, and what `largestVectors` needs; unless the eigenvalues of A lie close together (`inverse-root.ts`)
 * above threshold^2, and n is at most `SMALL`: then out[n,n] <- I - threshold A^{-1/2} instead.
 *
 * out   0: the values in any case
 * Returns 0, 1 if the iteration did not converge, or 2 where it is `out` that was written.
 */
export function shrinkOrValues(
  a: usize,
  values: usize,
  n: i32,
  threshold: f64,
  out: usize,
  work: usize,
): i32 {
  return decompose(a, values, n, true, threshold, out, work);
}

/**
 * vectors[n,count] <- the eigenvectors of the largest values, column j of value j, right after `shrinkOrValues` has returned 0: A and
 * work are as it left them. From `DIRECT` on fewer of them take less time.
 */
export function largestVectors(vectors: usize, n: i32, count: i32): void {
  if (count == 0) return;
  if (n <= DIRECT) scatterDescending(rest, (<usize>roundUp4(n)) << 3, n, vectors, count);
  else {
    joinedVectors(vectors, count);
    backTransform(reflectors, roundUp4(n), tau, n, vectors, count, rest);
  }
}

/** @param isWhole whether vectors may be wanted. */
function decompose(
  a: usize,
  values: usize,
  n: i32,
  isWhole: bool,
  threshold: f64,
  out: usize,
  work: usize,
): i32 {
  const ld = roundUp4(n);
  const step = (<usize>ld) << 3;
  const factor = tridiagonal(a, n, work);
  const d = work;
  const e = d + step;
  if (
    out &&
    n <= SMALL &&
    shrinkClose(reflectors, ld, tau, d, e, n, threshold * sqrt(factor), out, rest)
  ) {
    return 2;
  }
  if (n <= DIRECT || !isWhole) {
    if (isWhole) formTransposedQ(reflectors, ld, tau, n, rest, scratch);
    if (implicitQl(d, e, n, rest, step, isWhole ? ld : 0, scratch)) return 1;
    ascending(d, n, order);
  } else if (divideAndConquer(d, e, n, order, a, rest)) return 1;
  descendingValues(d, values, n, factor);
  return 0;
}

/** Lays out `work`, its first parts f64[ld] the diagonal and f64[ld] what is beside it of A times the power of two that is returned. */
function tridiagonal(a: usize, n: i32, work: usize): f64 {
  const ld = roundUp4(n);
  const step = (<usize>ld) << 3;
  const factor = unitScale(maxAbs(a, n * n));
  tau = work + 2 * step;
  order = tau + step;
  scratch = order + step;
  reflectors = scratch + 2 * step;
  rest = reflectors + <usize>ld * step;
  copyPadded(a, n, reflectors, ld, factor);
  tridiagonalise(reflectors, n, ld, work, work + step, tau, rest);
  return factor;
}

function descendingValues(d: usize, values: usize, n: i32, factor: f64): void {
  for (let j = 0; j < n; j++) {
    const from = load<u32>(order + ((<usize>(n - 1 - j)) << 2));
    store<f64>(values + ((<usize>j) << 3), load<f64>(d + ((<usize>from) << 3)) / factor);
  }
}

export function eighWorkspace(n: i32): f64 {
  const ld = <f64>roundUp4(n);
  // Beyond DIRECT, up to SMALL, divideWorkspace is more than inverseRootWorkspace.
  const stages = max(
    tridiagonaliseWorkspace(n),
    n <= DIRECT ? inverseRootWorkspace(n) : max(divideWorkspace(n), backTransformWorkspace(n)),
  );
  return 8 * ld * (6 + ld) + stages;
}

/** B[ld,ld] <- factor A[n,n], the rest zero. */
function copyPadded(a: usize, n: i32, b: usize, ld: i32, factor: f64): void {
  const from = (<usize>n) << 3;
  const to = (<usize>ld) << 3;
  for (let i = 0; i < n; i++) {
    memory.copy(b, a, from);
    if (factor != 1) scale(factor, b, n);
    memory.fill(b + from, 0, to - from);
    a += from;
    b += to;
  }
  memory.fill(b, 0, <usize>(ld - n) * to);
}

/** Column j of `vectors` <- row order[n-1-j] of z, of `count` columns. */
function scatterDescending(z: usize, zStep: usize, n: i32, vectors: usize, count: i32): void {
  for (let j = 0; j < count; j++) {
    const row = load<u32>(order + ((<usize>(n - 1 - j)) << 2));
    toColumn(z + <usize>row * zStep, vectors + ((<usize>j) << 3), n, (<usize>count) << 3);
  }
}
