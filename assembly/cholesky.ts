/**
 * Cholesky factorisation and solves, row by row: every inner loop is a dot product or an update
 * along contiguous rows.
 */
import { addScaled, dot, scale } from "./blas/vector";

/**
 * A = L L^T in place: lower triangle L, upper triangle zeroed. Reads the lower triangle only.
 * Returns 0, or the 1-based index of the first pivot that is not positive (A is then partly
 * overwritten).
 *
 * Cost: n^3 / 3 flops. Backward error: |A - L L^T| <= (n + 1) 2^-53 |L| |L|^T entry by entry
 * (Higham 2002, Theorem 10.3).
 */
export function cholesky(a: usize, n: i32): i32 {
  const step = (<usize>n) << 3;
  for (let i = 0; i < n; i++) {
    const row = a + <usize>i * step;
    eliminateRow(a, row, step, i);
    const at = row + ((<usize>i) << 3);
    const pivot = load<f64>(at) - dot(row, row, i);
    // Written so that NaN is refused too.
    if (!(pivot > 0)) return i + 1;
    store<f64>(at, sqrt(pivot));
    memory.fill(at + 8, 0, (<usize>(n - 1 - i)) << 3);
  }
  return 0;
}

/** Row i of L left of the diagonal. */
function eliminateRow(a: usize, row: usize, step: usize, i: i32): void {
  for (let j = 0; j < i; j++) {
    const other = a + <usize>j * step;
    const at = (<usize>j) << 3;
    store<f64>(row + at, (load<f64>(row + at) - dot(row, other, j)) / load<f64>(other + at));
  }
}

/**
 * Solves L L^T X = B in place for row-major B[n,nrhs]. Cost: 2 n^2 nrhs flops.
 */
export function choleskySolve(l: usize, b: usize, n: i32, nrhs: i32): void {
  const step = (<usize>n) << 3;
  if (nrhs == 1) {
    for (let i = 0; i < n; i++) {
      const row = l + <usize>i * step;
      const at = (<usize>i) << 3;
      store<f64>(b + at, (load<f64>(b + at) - dot(row, b, i)) / load<f64>(row + at));
    }
    for (let i = n - 1; i >= 0; i--) {
      const row = l + <usize>i * step;
      const at = (<usize>i) << 3;
      const x = load<f64>(b + at) / load<f64>(row + at);
      store<f64>(b + at, x);
      addScaled(-x, row, b, i);
    }
    return;
  }
  const wide = (<usize>nrhs) << 3;
  for (let i = 0; i < n; i++) {
    const row = l + <usize>i * step;
    const x = b + <usize>i * wide;
    for (let k = 0; k < i; k++) {
      addScaled(-load<f64>(row + ((<usize>k) << 3)), b + <usize>k * wide, x, nrhs);
    }
    scale(1 / load<f64>(row + ((<usize>i) << 3)), x, nrhs);
  }
  for (let i = n - 1; i >= 0; i--) {
    const row = l + <usize>i * step;
    const x = b + <usize>i * wide;
    scale(1 / load<f64>(row + ((<usize>i) << 3)), x, nrhs);
    for (let k = 0; k < i; k++) {
      addScaled(-load<f64>(row + ((<usize>k) << 3)), x, b + <usize>k * wide, nrhs);
    }
  }
}
