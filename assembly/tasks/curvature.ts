/**
 * Largest eigenvalue of every task's Gram matrix, bounded from above: what a step size 1 / L needs.
 *
 * The Gram matrix of the smaller side, reduced to tridiagonal form (Householder), then bisection by
 * Sturm counts; the upper end of the last interval, enlarged beyond the rounding of all three, is
 * the answer. No iteration that could stop short of the largest eigenvalue.
 */
import { at } from "../address";
import { addOuter, rowGram, symmetricTimes } from "./systems";
import { addScaled, dot } from "../blas/vector";
import { firstRow, rowAt, rowCount, scaleOf, TaskData } from "./task-data";

/** Tridiagonal form of symmetric a f64[k, k] (lower triangle, destroyed): diagonal, off[1 .. k-1]. */
function tridiagonalise(a: usize, diagonal: usize, off: usize, p: usize, k: i32): void {
  const stride = (<usize>k) << 3;
  for (let i = k - 1; i >= 0; i--) {
    const v = a + <usize>i * stride;
    store<f64>(at(diagonal, i), load<f64>(at(v, i)));
    if (i == 0) break;
    // Householder vector of row i left of the diagonal, to leave only entry i - 1.
    const last = load<f64>(at(v, i - 1));
    const rest = dot(v, v, i - 1);
    if (rest == 0.0) {
      store<f64>(at(off, i), last);
      continue;
    }
    const norm = Math.sqrt(rest + last * last);
    const beta = last > 0.0 ? -norm : norm;
    store<f64>(at(off, i), beta);
    store<f64>(at(v, i - 1), last - beta);
    const h = 1.0 / (norm * (norm + Math.abs(last))); // 2 / ||v||^2
    symmetricTimes(a, v, p, i, stride);
    for (let j = 0; j < i; j++) store<f64>(at(p, j), h * load<f64>(at(p, j)));
    addScaled(-0.5 * h * dot(p, v, i), v, p, i);
    for (let j = 0; j < i; j++) {
      const row = a + <usize>j * stride;
      addScaled(-load<f64>(at(v, j)), p, row, j + 1);
      addScaled(-load<f64>(at(p, j)), v, row, j + 1);
    }
  }
}

/** Upper end of an interval of relative width 1e-10 around the largest eigenvalue. */
function largestEigenvalue(diagonal: usize, off: usize, k: i32): f64 {
  let low = -Infinity, high = -Infinity;
  for (let i = 0; i < k; i++) {
    const centre = load<f64>(at(diagonal, i));
    const left = i > 0 ? Math.abs(load<f64>(at(off, i))) : 0.0;
    const right = i + 1 < k ? Math.abs(load<f64>(at(off, i + 1))) : 0.0;
    low = Math.max(low, centre);
    high = Math.max(high, centre + left + right);
  }
  for (let step = 0; step < 200 && high - low > 1e-10 * Math.abs(high); step++) {
    const middle = 0.5 * (low + high);
    // All pivots of T - middle negative: no eigenvalue above the middle.
    let above = false;
    let pivot = load<f64>(diagonal) - middle;
    for (let i = 1; i < k && !above; i++) {
      if (pivot >= 0.0) above = true;
      const b = load<f64>(at(off, i));
      pivot = load<f64>(at(diagonal, i)) - middle - (b * b) / pivot;
    }
    if (above || pivot >= 0.0) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * out f64[m]: an upper bound, tight to 1e-6 relative, of scales[i] lambda_max(Z_i^T Z_i), with
 * Z_i = X_i, or [X_i 1] when `intercept` is 1.
 *
 * work: (k^2 + 3 k) f64, k = d + 1. Cost per task: n d min(n, d) + 4/3 min(n, d)^3 flops.
 */
export function taskCurvatures(
  data: TaskData, intercept: i32, out: usize, work: usize,
): void {
  const m = data.m, d = data.d;
  const width = d + intercept;
  const stride = (<usize>d) << 3;
  const most = <usize>(d + 1);
  const diagonal = work + ((most * most) << 3);
  const off = diagonal + (most << 3);
  const vector = off + (most << 3);
  for (let i = 0; i < m; i++) {
    const n = rowCount(data, i);
    const rows = rowAt(data, firstRow(data, i));
    const k = min(n, width);
    if (k == 0) {
      store<f64>(at(out, i), 0.0);
      continue;
    }
    if (n <= width) {
      rowGram(rows, work, n, d);
      if (intercept) {
        for (let r = 0; r < n; r++) {
          const row = work + ((<usize>r * <usize>n) << 3);
          for (let c = 0; c <= r; c++) store<f64>(at(row, c), load<f64>(at(row, c)) + 1.0);
        }
      }
    } else {
      memory.fill(work, 0, (<usize>width * <usize>width) << 3);
      store<f64>(at(vector, d), 1.0);
      for (let r = 0; r < n; r++) {
        memory.copy(vector, rows + <usize>r * stride, stride);
        addOuter(1.0, vector, work, width);
      }
    }
    tridiagonalise(work, diagonal, off, vector, k);
    const slack = 1e-9 + 2.220446049250313e-16 * (<f64>n + 10.0 * <f64>width);
    const top = Math.max(0.0, largestEigenvalue(diagonal, off, k));
    store<f64>(at(out, i), scaleOf(data, i) * top * (1.0 + slack));
  }
}
export function taskCurvaturesWorkspace(d: i32): f64 {
  const k = <f64>d + 1.0;
  return 8.0 * (k * k + 3.0 * k);
}
