/**
 * Cholesky factors and triangular solves for the many small systems of the tasks. Lower triangles of
 * row-major matrices; every inner loop runs along a row.
 */
import { rowAdd, rowDot } from "./rows";

@inline function at(base: usize, i: i32): usize {
  return base + ((<usize>i) << 3);
}

/**
 * A = L L^T in place: the lower triangle of A f64[n, n] becomes L, the rest is neither read nor
 * written. False when a pivot is not positive (or NaN).
 */
export function factor(a: usize, n: i32): bool {
  const stride = (<usize>n) << 3;
  for (let i = 0; i < n; i++) {
    const row = a + <usize>i * stride;
    for (let j = 0; j < i; j++) {
      const other = a + <usize>j * stride;
      const value = load<f64>(at(row, j)) - rowDot(row, other, j);
      store<f64>(at(row, j), value / load<f64>(at(other, j)));
    }
    const pivot = load<f64>(at(row, i)) - rowDot(row, row, i);
    if (!(pivot > 0.0) || !(pivot < Infinity)) return false;
    store<f64>(at(row, i), Math.sqrt(pivot));
  }
  return true;
}

/** b <- L^-1 b for b f64[n] whose first `from` entries are zero. */
export function solveLower(l: usize, b: usize, n: i32, from: i32 = 0): void {
  const stride = (<usize>n) << 3;
  for (let i = from; i < n; i++) {
    const row = l + <usize>i * stride;
    const value = load<f64>(at(b, i)) - rowDot(at(row, from), at(b, from), i - from);
    store<f64>(at(b, i), value / load<f64>(at(row, i)));
  }
}

/** b <- L^-T b. */
export function solveUpper(l: usize, b: usize, n: i32): void {
  const stride = (<usize>n) << 3;
  for (let i = n - 1; i >= 0; i--) {
    const row = l + <usize>i * stride;
    const value = load<f64>(at(b, i)) / load<f64>(at(row, i));
    store<f64>(at(b, i), value);
    rowAdd(-value, row, b, i);
  }
}

/** Lower triangle of k f64[n, n] <- A A^T for A f64[n, d]. */
export function rowGram(a: usize, k: usize, n: i32, d: i32): void {
  const stride = (<usize>d) << 3;
  for (let i = 0; i < n; i++) {
    const row = a + <usize>i * stride;
    const out = k + ((<usize>i * <usize>n) << 3);
    for (let j = 0; j <= i; j++) store<f64>(at(out, j), rowDot(row, a + <usize>j * stride, d));
  }
}

/** Lower triangle of h f64[d, d] += c x x^T. */
export function addOuter(c: f64, x: usize, h: usize, d: i32): void {
  const stride = (<usize>d) << 3;
  for (let i = 0; i < d; i++) rowAdd(c * load<f64>(at(x, i)), x, h + <usize>i * stride, i + 1);
}

/** out f64[n] <- A x, A the leading n x n block, lower triangle read, rows `stride` bytes apart. */
export function symmetricTimes(a: usize, x: usize, out: usize, n: i32, stride: usize): void {
  for (let i = 0; i < n; i++) {
    const row = a + <usize>i * stride;
    const xi = load<f64>(at(x, i));
    store<f64>(at(out, i), rowDot(row, x, i) + load<f64>(at(row, i)) * xi);
    rowAdd(xi, row, out, i);
  }
}
