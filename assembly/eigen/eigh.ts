/**
 * Symmetric eigendecomposition.
 */
import { roundUp4 } from "../blas/gemm";
import { maxAbs, scale, unitScale } from "../blas/vector";
import { backTransform, backTransformWorkspace } from "./back-transform";
import { divideAndConquer, divideWorkspace } from "./divide";
import { formTransposedQ } from "./form-q";
import { implicitQl } from "./implicit-ql";
import { inverseRootWorkspace, shrinkClose } from "./inverse-root";
import { ascending } from "./order";
import { SMALL, tridiagonalise, tridiagonaliseWorkspace } from "./tridiagonalise";

/** Up to this order the QL method alone is quicker. */
const DIRECT: i32 = 68;

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
  return shrinkOrEigh(a, values, vectors, n, 0, 0, work);
}

/**
 * As `eigh`, unless the eigenvalues of A lie close together (`inverse-root.ts`) above threshold^2, and n is at most `SMALL`: then
 * out[n,n] <- I - threshold A^{-1/2} instead.
 *
 * out   0: as eigh in any case
 * Returns 2 where it is `out` that was written.
 */
export function shrinkOrEigh(
  a: usize,
  values: usize,
  vectors: usize,
  n: i32,
  threshold: f64,
  out: usize,
  work: usize,
): i32 {
  const ld = roundUp4(n);
  const step = (<usize>ld) << 3;
  const factor = unitScale(maxAbs(a, n * n));
  const d = work;
  const e = d + step;
  const tau = e + step;
  const order = tau + step;
  const scratch = order + step; // 2 ld
  const padded = scratch + 2 * step; // ld * ld
  const rest = padded + <usize>ld * step;
  copyPadded(a, n, padded, ld, factor);
  tridiagonalise(padded, n, ld, d, e, tau, rest);
  if (
    out &&
    n <= SMALL &&
    shrinkClose(padded, ld, tau, d, e, n, threshold * sqrt(factor), out, rest)
  ) {
    return 2;
  }
  if (n <= DIRECT || !vectors) {
    if (vectors) formTransposedQ(padded, ld, tau, n, rest, scratch);
    if (implicitQl(d, e, n, rest, step, vectors ? ld : 0, scratch)) return 1;
    ascending(d, n, order);
    if (vectors) scatterDescending(rest, step, order, n, vectors);
  } else {
    if (divideAndConquer(d, e, n, vectors, order, a, rest)) return 1;
    backTransform(padded, ld, tau, n, vectors, rest);
    permuteDescending(vectors, order, n, scratch);
  }
  for (let j = 0; j < n; j++) {
    const from = load<u32>(order + ((<usize>(n - 1 - j)) << 2));
    store<f64>(values + ((<usize>j) << 3), load<f64>(d + ((<usize>from) << 3)) / factor);
  }
  return 0;
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

/** Column j of `vectors` <- row order[n-1-j] of z. */
function scatterDescending(z: usize, zStep: usize, order: usize, n: i32, vectors: usize): void {
  const step = (<usize>n) << 3;
  for (let j = 0; j < n; j++) {
    const row = load<u32>(order + ((<usize>(n - 1 - j)) << 2));
    scatter(z + <usize>row * zStep, vectors + ((<usize>j) << 3), step, n);
  }
}

function scatter(from: usize, to: usize, step: usize, n: i32): void {
  for (const end = from + ((<usize>n) << 3); from < end; from += 8) {
    store<f64>(to, load<f64>(from));
    to += step;
  }
}

/** Puts the columns of `vectors` into descending order, row by row. */
function permuteDescending(vectors: usize, order: usize, n: i32, row: usize): void {
  const bytes = (<usize>n) << 3;
  for (let i = 0; i < n; i++) {
    permuteRow(vectors, order, n, row);
    memory.copy(vectors, row, bytes);
    vectors += bytes;
  }
}

function permuteRow(from: usize, order: usize, n: i32, to: usize): void {
  for (let at = order + ((<usize>(n - 1)) << 2); at >= order; at -= 4) {
    store<f64>(to, load<f64>(from + ((<usize>load<u32>(at)) << 3)));
    to += 8;
  }
}
