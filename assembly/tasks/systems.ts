/**
 * Gram matrices and triangular solves for the many small systems of the tasks. Lower triangles of
 * row-major matrices; every inner loop runs along a row.
 */
import { at } from "../address";
import { addScaled, dot } from "../blas/vector";
import { addFour } from "../blas/add-four";
import { predictRows } from "./row-products";

/** b <- L^-1 b for b f64[n] whose first `from` entries are zero. */
export function solveLower(l: usize, b: usize, n: i32, from: i32 = 0): void {
  const stride = (<usize>n) << 3;
  for (let i = from; i < n; i++) {
    const row = l + <usize>i * stride;
    const value = load<f64>(at(b, i)) - dot(at(row, from), at(b, from), i - from);
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
    addScaled(-value, row, b, i);
  }
}

/** Lower triangle of k f64[n, n] <- A A^T for A f64[n, d]. */
export function rowGram(a: usize, k: usize, n: i32, d: i32): void {
  const stride = (<usize>d) << 3;
  for (let i = 0; i < n; i++) {
    const row = a + <usize>i * stride;
    const out = k + ((<usize>i * <usize>n) << 3);
    predictRows<f64>(a, stride, row, 0.0, out, i + 1, d);
  }
}

/** Lower triangle of h f64[d, d] += c x x^T. */
export function addOuter(c: f64, x: usize, h: usize, d: i32): void {
  const stride = (<usize>d) << 3;
  for (let i = 0; i < d; i++) addScaled(c * load<f64>(at(x, i)), x, h + <usize>i * stride, i + 1);
}

const coefficients: usize = memory.data(32, 16); // f64[4]

/**
 * Lower triangle of h f64[d, d] += sum_r c_r x_r x_r^T for `count` = 4 or fewer rows f64[count, d]
 * with weights c f64[count].
 */
export function addOuters(c: usize, rows: usize, count: i32, h: usize, d: i32): void {
  const stride = (<usize>d) << 3;
  if (count < 4) {
    for (let r = 0; r < count; r++) {
      addOuter(load<f64>(at(c, r)), rows + <usize>r * stride, h, d);
    }
    return;
  }
  for (let i = 0; i < d; i++) {
    for (let r = 0; r < 4; r++) {
      const entry = load<f64>(at(rows + <usize>r * stride, i));
      store<f64>(at(coefficients, r), load<f64>(at(c, r)) * entry);
    }
    addFour<f64>(coefficients, rows, stride, h + <usize>i * stride, i + 1);
  }
}

/** out f64[n] <- A x, A the leading n x n block, lower triangle read, rows `stride` bytes apart. */
export function symmetricTimes(a: usize, x: usize, out: usize, n: i32, stride: usize): void {
  for (let i = 0; i < n; i++) {
    const row = a + <usize>i * stride;
    const xi = load<f64>(at(x, i));
    store<f64>(at(out, i), dot(row, x, i) + load<f64>(at(row, i)) * xi);
    addScaled(xi, row, out, i);
  }
}
