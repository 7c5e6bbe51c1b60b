/**
 * Symmetric eigendecomposition.
 */
import { maxAbs, scale, unitScale } from "../blas/vector";
import { implicitQl } from "./implicit-ql";
import { formTransposedQ, tridiagonalise } from "./tridiagonalise";

/**
 * A = V diag(values) V^T.
 *
 * a       f64[n,n], symmetric; the upper triangle is read; destroyed
 * values  f64[n], descending
 * vectors f64[n,n], row-major, column j belongs to value j
 * Returns 0, or 1 if the iteration did not converge.
 *
 * The matrix is scaled by a power of two first, so that entries of 1e200 or 1e-200 do no harm.
 * Backward error: ||A - V diag(values) V^T|| and ||V^T V - I|| ||A|| within a small multiple of
 * n 2^-53 ||A||; small eigenvalues of a graded matrix have that absolute accuracy, not relative.
 */
export function eigh(a: usize, values: usize, vectors: usize, n: i32, work: usize): i32 {
  const bytes = (<usize>n) << 3;
  const factor = unitScale(maxAbs(a, n * n));
  if (factor != 1) scale(factor, a, n * n);
  const d = work;
  const e = d + bytes;
  const tau = e + bytes;
  const scratch = tau + bytes; // 2 n
  const order = scratch + 2 * bytes; // n
  const z = order + bytes; // n * n
  tridiagonalise(a, n, d, e, tau, scratch);
  formTransposedQ(a, tau, n, z);
  if (implicitQl(d, e, n, z, bytes, n, scratch)) return 1;
  sortDescending(d, order, n);
  writeSorted(d, z, order, n, 1 / factor, values, vectors);
  return 0;
}

export function eighWorkspace(n: i32): f64 {
  return 8 * (<f64>n * (<f64>n + 6));
}

/** order (u32[n]) <- the permutation that puts d in descending order; insertion sort. */
function sortDescending(d: usize, order: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const value = load<f64>(d + ((<usize>i) << 3));
    let j = i;
    while (j > 0) {
      const before = load<u32>(order + ((<usize>(j - 1)) << 2));
      if (!(load<f64>(d + ((<usize>before) << 3)) < value)) break;
      store<u32>(order + ((<usize>j) << 2), before);
      j--;
    }
    store<u32>(order + ((<usize>j) << 2), i);
  }
}

/** Column j of `vectors` <- row order[j] of z, and the values likewise, unscaled. */
function writeSorted(
  d: usize,
  z: usize,
  order: usize,
  n: i32,
  factor: f64,
  values: usize,
  vectors: usize,
): void {
  const step = (<usize>n) << 3;
  for (let j = 0; j < n; j++) {
    const row = load<u32>(order + ((<usize>j) << 2));
    const at = (<usize>j) << 3;
    store<f64>(values + at, factor * load<f64>(d + ((<usize>row) << 3)));
    scatter(z + <usize>row * step, vectors + at, step, n);
  }
}

function scatter(from: usize, to: usize, step: usize, n: i32): void {
  for (const end = from + ((<usize>n) << 3); from < end; from += 8) {
    store<f64>(to, load<f64>(from));
    to += step;
  }
}
