/**
 * Largest eigenvalue of every task's Gram matrix, bounded from above: what a step size 1 / L needs.
 *
 * The Gram matrix of the smaller side, reduced to tridiagonal form (Householder), then bisection by
 * Sturm counts; the upper end of the last interval, enlarged beyond the rounding of all three, is
 * the answer. No iteration that could stop short of the largest eigenvalue.
 */
import { at } from "../address";
import { cholesky } from "../cholesky";
import { addOuter, rowGram, symmetricTimes } from "./systems";
import { addScaled, dot } from "../blas/vector";
import { addSparse, clearSparse, sparseDot } from "./sparse-rows";
import { copyRows, rowsAt } from "./wide-rows";
import { firstRow, rowCount, scaleOf, TaskData, weightsAt } from "./task-data";

/** By how much less than the largest curvature another surely is, so that the rounding of none decides which is the largest. */
const MARGIN: f64 = 1e-6;

/** Below this a squared norm may have lost digits to underflow, and its inverse is beyond all numbers soon. */
const LEAST_SQUARE: f64 = 1e-280;

/**
 * Tridiagonal form of symmetric a f64[k, k] (lower triangle, destroyed): diagonal, off[1 .. k-1].
 * @returns how far entries that were taken for zero move an eigenvalue at most: about 1e-140 each, where rows repeat others.
 */
function tridiagonalise(a: usize, diagonal: usize, off: usize, p: usize, k: i32): f64 {
  let moved: f64 = 0.0;
  const stride = (<usize>k) << 3;
  for (let i = k - 1; i >= 0; i--) {
    const v = a + <usize>i * stride;
    store<f64>(at(diagonal, i), load<f64>(at(v, i)));
    if (i == 0) break;
    // Householder vector of row i left of the diagonal, to leave only entry i - 1.
    const last = load<f64>(at(v, i - 1));
    const rest = dot(v, v, i - 1);
    if (rest == 0.0 || rest + last * last < LEAST_SQUARE) {
      moved += Math.sqrt(rest);
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
  return moved;
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

/** Whether c I - a is definite, a f64[k, k] (lower triangle): then no eigenvalue is above c. @param b f64[k, k] of scratch. */
function isBelow(a: usize, c: f64, b: usize, k: i32): bool {
  const stride = (<usize>k) << 3;
  for (let i = 0, row = b; i < k; i++, row += stride, a += stride) {
    for (let j = 0; j < i; j++) store<f64>(at(row, j), -load<f64>(at(a, j)));
    store<f64>(at(row, i), c - load<f64>(at(a, i)));
  }
  return cholesky(b, k) == 0;
}

/** Lower triangle of k f64[n, n] <- X X^T of the rows of a task; dense f64[d] is scratch, left at zero. */
function sparseGram(data: TaskData, from: u32, k: usize, n: i32, dense: usize): void {
  for (let r = 0; r < n; r++) {
    addSparse(data, from + r, 1.0, dense, 8);
    const row = k + ((<usize>r * <usize>n) << 3);
    for (let c = 0; c <= r; c++) store<f64>(at(row, c), sparseDot(data, from + c, dense, 8));
    clearSparse(data, from + r, dense);
  }
}

/** Lower triangle of k f64[n, n] <- S^1/2 k S^1/2, s f64[n]. */
function scaleByRoots(k: usize, s: usize, n: i32): void {
  for (let r = 0; r < n; r++) {
    const row = k + ((<usize>r * <usize>n) << 3);
    const root = Math.sqrt(load<f64>(at(s, r)));
    for (let c = 0; c <= r; c++) {
      store<f64>(at(row, c), root * load<f64>(at(row, c)) * Math.sqrt(load<f64>(at(s, c))));
    }
  }
}

/**
 * out f64[m]: an upper bound, tight to 1e-6 relative, of scales[i] lambda_max(Z_i^T S_i Z_i), with
 * Z_i = X_i, or [X_i 1] when `intercept` is 1, S_i the weights of its rows. With `largestOnly` tasks that are surely below the largest
 * so far have that for a bound, which takes a quarter of the time: the largest of all is the same.
 *
 * work: `taskCurvaturesWorkspace(rows, d)` bytes, for tasks of at most `rows` rows.
 * Cost per task: n d min(n, d) + 4/3 min(n, d)^3 flops.
 */
export function taskCurvatures(
  data: TaskData, intercept: i32, largestOnly: bool, out: usize, work: usize,
): void {
  const m = data.m, d = data.d;
  const width = d + intercept;
  const stride = (<usize>d) << 3;
  const most = (<usize>(d + 1)) << 3;
  const diagonal = work, off = diagonal + most, vector = off + most, dense = vector + most;
  const square = dense + most;
  let largest = 0.0;
  memory.fill(dense, 0, most);
  for (let i = 0; i < m; i++) {
    const n = rowCount(data, i);
    const from = firstRow(data, i);
    const s = weightsAt(data, from);
    const k = min(n, width);
    if (k == 0) {
      store<f64>(at(out, i), 0.0);
      continue;
    }
    if (n <= width) {
      if (data.columns) sparseGram(data, from, square, n, dense);
      else rowGram(rowsAt(data, from, n), square, n, d);
      if (intercept) {
        for (let r = 0; r < n; r++) {
          const row = square + ((<usize>r * <usize>n) << 3);
          for (let c = 0; c <= r; c++) store<f64>(at(row, c), load<f64>(at(row, c)) + 1.0);
        }
      }
      if (s) scaleByRoots(square, s, n);
    } else {
      memory.fill(square, 0, (<usize>width * <usize>width) << 3);
      store<f64>(at(vector, d), 1.0);
      for (let r = 0; r < n; r++) {
        if (data.columns) {
          memory.fill(vector, 0, stride);
          addSparse(data, from + r, 1.0, vector, 8);
        } else {
          copyRows(data, from + r, 1, vector);
        }
        addOuter(s ? load<f64>(at(s, r)) : 1.0, vector, square, width);
      }
    }
    const scale = scaleOf(data, i);
    if (largestOnly && largest > 0.0 && scale > 0.0) {
      const spare = square + ((<usize>k * <usize>k) << 3);
      if (isBelow(square, ((1.0 - MARGIN) * largest) / scale, spare, k)) {
        store<f64>(at(out, i), largest);
        continue;
      }
    }
    const moved = tridiagonalise(square, diagonal, off, vector, k);
    const slack = 1e-9 + 2.220446049250313e-16 * (<f64>n + 10.0 * <f64>width);
    const top = Math.max(0.0, largestEigenvalue(diagonal, off, k));
    const bound = scale * (top + moved) * (1.0 + slack);
    store<f64>(at(out, i), bound);
    largest = Math.max(largest, bound);
  }
}
export function taskCurvaturesWorkspace(rows: i32, d: i32): f64 {
  const width = <f64>d + 1.0;
  const k = Math.min(<f64>rows, width);
  return 8.0 * (2.0 * k * k + 4.0 * width);
}
