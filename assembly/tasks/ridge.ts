/**
 * Exact ridge solutions of all tasks under one quadratic prior:
 *   argmin_{w, b} (c/2) sum_j (x_j w + b - y_j)^2 + (1/2) (w - a)^T P (w - a),
 * the intercept b, if any, not penalised: X and the targets t_j = y_j - x_j a are centred.
 *
 * n_i >= d: Cholesky of c X^T X + P. n_i < d: with P = L L^T and whitened rows Y = X L^-T, the
 * n x n system (Y Y^T + I / c) alpha = t and w = a + L^-T Y^T alpha (Woodbury), which is cheaper and
 * whose conditioning does not suffer from a wide spectrum of P. If P alone has no Cholesky factor
 * (semidefinite, or by rounding), every task takes the first way.
 *
 * Leave-one-out predictions keep c: the solution of the same problem without row j, times x_j. They
 * come in closed form, y_j - e_j / (1 - h_jj), h the leverages. With one row and an intercept there
 * is nothing left to fit: x_j a.
 */
import { at } from "../address";
import { addScaled, dot } from "../blas/vector";
import { cholesky } from "../cholesky";
import { addOuters, rowGram, solveLower, solveUpper } from "./systems";
import { addRows } from "./row-products";
import { rowsAt } from "./wide-rows";
import { firstRow, rowCount, scaleOf, targetAt, TaskData } from "./task-data";

/** out f64[d] <- mean of n rows. */
export function rowMean(x: usize, out: usize, n: i32, d: i32): void {
  memory.fill(out, 0, (<usize>d) << 3);
  for (let j = 0; j < n; j++) addScaled(1.0, x + ((<usize>j * <usize>d) << 3), out, d);
  for (let k = 0; k < d; k++) store<f64>(at(out, k), load<f64>(at(out, k)) / <f64>n);
}

/** y_j - x_j a, a = 0 if the pointer is. */
@inline function target(row: usize, y: f64, center: usize, d: i32): f64 {
  return center ? y - dot(row, center, d) : y;
}

const weights: usize = memory.data(32, 16); // f64[4]

/** One task by the d x d system; row f64[4, d] and the rest scratch. w is written; b is returned in b[0] if `b` is not 0. */
function solvePrimal(
  x: usize, y: usize, n: i32, c: f64, precision: usize, center: usize, w: usize, b: usize,
  leaveOneOut: usize, d: i32, a: usize, mean: usize, row: usize,
): bool {
  const stride = (<usize>d) << 3;
  memory.copy(a, precision, <usize>d * stride);
  memory.fill(w, 0, stride);
  memory.fill(mean, 0, stride);
  let level = 0.0;
  if (b) {
    rowMean(x, mean, n, d);
    for (let j = 0; j < n; j++) {
      level += target(x + <usize>j * stride, load<f64>(at(y, j)), center, d);
    }
    level /= <f64>n;
  }
  for (let r: usize = 0; r < 32; r += 8) store<f64>(weights + r, c);
  for (let j = 0; j < n; j += 4) {
    const count = min(4, n - j);
    memory.copy(row, x + <usize>j * stride, <usize>count * stride);
    for (let r = 0; r < count; r++) {
      const centred = row + <usize>r * stride;
      const t = target(centred, load<f64>(at(y, j + r)), center, d) - level;
      if (b) addScaled(-1.0, mean, centred, d);
      addScaled(c * t, centred, w, d);
    }
    addOuters(weights, row, count, a, d);
  }
  if (cholesky(a, d) != 0) return false;
  solveLower(a, w, d);
  solveUpper(a, w, d);
  let intercept = 0.0;
  if (b) {
    intercept = level - dot(mean, w, d);
    store<f64>(b, intercept);
  }
  if (center) addScaled(1.0, center, w, d);
  if (leaveOneOut) {
    for (let j = 0; j < n; j++) {
      memory.copy(row, x + <usize>j * stride, stride);
      const label = load<f64>(at(y, j));
      const residual = label - dot(row, w, d) - intercept;
      if (b) addScaled(-1.0, mean, row, d);
      solveLower(a, row, d);
      const leverage = c * dot(row, row, d) + (b ? 1.0 / <f64>n : 0.0);
      const kept = Math.max(1.0 - leverage, 2.220446049250313e-16);
      store<f64>(at(leaveOneOut, j), label - residual / kept);
    }
  }
  return true;
}

/** One task by the n x n system; l is the factor of P, rows f64[n, d] and k f64[n, n] scratch. */
function solveDual(
  x: usize, y: usize, n: i32, c: f64, l: usize, center: usize, w: usize, b: usize,
  leaveOneOut: usize, d: i32, rows: usize, k: usize, mean: usize, alpha: usize, unit: usize,
): bool {
  const stride = (<usize>d) << 3;
  memory.copy(rows, x, <usize>n * stride);
  let level = 0.0;
  for (let j = 0; j < n; j++) {
    const t = target(x + <usize>j * stride, load<f64>(at(y, j)), center, d);
    store<f64>(at(alpha, j), t);
    level += t;
  }
  level = b ? level / <f64>n : 0.0;
  if (b) {
    rowMean(x, mean, n, d);
    for (let j = 0; j < n; j++) {
      addScaled(-1.0, mean, rows + <usize>j * stride, d);
      store<f64>(at(alpha, j), load<f64>(at(alpha, j)) - level);
    }
  }
  for (let j = 0; j < n; j++) solveLower(l, rows + <usize>j * stride, d);
  rowGram(rows, k, n, d);
  // The centred kernel is singular along 1; lifting it there changes no solution orthogonal to 1
  // and keeps the subtraction below free of cancellation.
  let lift = 0.0;
  if (b) {
    for (let j = 0; j < n; j++) lift += load<f64>(at(k, j * n + j));
    lift /= <f64>n * <f64>n;
  }
  for (let i = 0; i < n; i++) {
    const row = k + ((<usize>i * <usize>n) << 3);
    for (let j = 0; j <= i; j++) store<f64>(at(row, j), load<f64>(at(row, j)) + lift);
    store<f64>(at(row, i), load<f64>(at(row, i)) + 1.0 / c);
  }
  if (cholesky(k, n) != 0) return false;
  solveLower(k, alpha, n);
  solveUpper(k, alpha, n);
  memory.fill(w, 0, stride);
  addRows<f64>(alpha, rows, w, n, d);
  solveUpper(l, w, d);
  if (b) store<f64>(b, level - dot(mean, w, d));
  if (center) addScaled(1.0, center, w, d);
  if (leaveOneOut) {
    const along = b ? 1.0 / (<f64>n / c + lift * <f64>n * <f64>n) : 0.0;
    for (let j = 0; j < n; j++) {
      // (K^-1)_jj = || M^-1 e_j ||^2 for K = M M^T.
      memory.fill(unit, 0, (<usize>n) << 3);
      store<f64>(at(unit, j), 1.0);
      solveLower(k, unit, n, j);
      const inverse = dot(at(unit, j), at(unit, j), n - j) - along;
      store<f64>(at(leaveOneOut, j), load<f64>(at(y, j)) - load<f64>(at(alpha, j)) / inverse);
    }
  }
  return true;
}

/**
 * weights f64[m, d] (and intercepts f64[m], or 0 for none) <- the solution of every task; squared
 * loss, c_i >= 0. precision P f64[d, d]
 * symmetric (lower triangle read), center f64[d] or 0, leaveOneOut f64[N] or 0.
 *
 * Returns 0, or 1 + the first task whose system is not positive definite; the tasks after it are
 * still solved, its own weights are undefined. work: `taskRidgeWorkspace(d)` bytes.
 */
export function taskRidge(
  data: TaskData, precision: usize, center: usize, weights: usize, intercepts: usize,
  leaveOneOut: usize, work: usize,
): i32 {
  const m = data.m, d = data.d;
  const stride = (<usize>d) << 3;
  const square = <usize>d * stride;
  const l = work, a = l + square, k = a + square;
  const mean = k + square, unit = mean + stride, row = unit + stride;
  memory.copy(l, precision, square);
  const whitened = cholesky(l, d) == 0;
  let failed = 0;
  for (let i = 0; i < m; i++) {
    const from = firstRow(data, i);
    const n = rowCount(data, i);
    const c = scaleOf(data, i);
    const rows = rowsAt(data, from, n);
    const labels = targetAt(data, from);
    const w = weights + <usize>i * stride;
    const b = intercepts ? at(intercepts, i) : 0;
    const loo = leaveOneOut ? leaveOneOut + ((<usize>from) << 3) : 0;
    if (n == 0 || c == 0.0) {
      if (center) memory.copy(w, center, stride);
      else memory.fill(w, 0, stride);
      if (b) store<f64>(b, 0.0);
      for (let j = 0; j < n && loo != 0; j++) {
        store<f64>(at(loo, j), dot(rows + <usize>j * stride, w, d));
      }
      continue;
    }
    const solved = whitened && n < d
      ? solveDual(rows, labels, n, c, l, center, w, b, loo, d, a, k, mean, row, unit)
      : solvePrimal(rows, labels, n, c, precision, center, w, b, loo, d, a, mean, row);
    if (!solved && failed == 0) failed = i + 1;
    if (n == 1 && b != 0 && loo != 0) {
      store<f64>(loo, center ? dot(rows, center, d) : 0.0);
    }
  }
  return failed;
}
export function taskRidgeWorkspace(d: i32): f64 {
  const size = <f64>d;
  return 8.0 * (3.0 * size * size + 6.0 * size);
}
