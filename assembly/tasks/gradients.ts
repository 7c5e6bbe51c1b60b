/**
 * Losses and gradients of all tasks (`task-data.ts`): weights f64[m, d], intercepts f64[m] or 0 for none.
 *
 * A task is taken in blocks of rows that stay in the first-level cache: predictions row by row (one
 * stream, which the prefetcher follows), slopes, then the update four rows at a time. X is read
 * from memory once.
 */
import { at } from "../address";
import { addScaled, dot } from "../blas/vector";
import { lossSlope, lossValue } from "./loss";
import { addFour } from "../blas/add-four";
import { addSparse, addSparseRows, predictSparse, sparseDot } from "./sparse-rows";
import { firstRow, rowAt, rowCount, scaleOf, targetAt, TaskData, weightsAt } from "./task-data";
import { weightedSlopes, weightedSlopesOnly } from "./weighted-loss";

const MAX_BLOCK: i32 = 64;
const BLOCK_ENTRIES: i32 = 2048; // 16 KiB of X
const SHORT_ROW: i32 = 64;
const slopes: usize = memory.data(512, 16); // f64[MAX_BLOCK]

@inline function blockRows(d: i32): i32 {
  const rows = min(MAX_BLOCK, BLOCK_ENTRIES / max(1, d));
  return rows >= 4 ? rows & ~3 : max(1, rows);
}

/**
 * out[j] <- x_j . w + b for n rows `stride` bytes apart. Short rows are taken four at a time, which hides the
 * latency of their sums; long ones one by one, because four streams defeat the prefetcher.
 */
export function predictRows(
  x: usize, stride: usize, w: usize, b: f64, out: usize, n: i32, d: i32,
): void {
  const end = out + ((<usize>n) << 3);
  if (d <= SHORT_ROW) {
    for (const fours = out + ((<usize>(n & ~3)) << 3); out < fours; out += 32, x += stride << 2) {
      predictFour(x, stride, w, b, out, d);
    }
    for (; out < end; out += 8, x += stride) store<f64>(out, dotOfPairs(x, w, d) + b);
    return;
  }
  for (; out < end; out += 8, x += stride) store<f64>(out, dot(x, w, d) + b);
}

/** sum_i x[i] y[i]: even and odd i apart, as `predictFour` rounds it. */
function dotOfPairs(x: usize, y: usize, n: i32): f64 {
  const end = x + ((<usize>n) << 3);
  let even = 0.0, odd = 0.0;
  for (const pairs = end - 15; x < pairs; x += 16, y += 16) {
    even += load<f64>(x) * load<f64>(y);
    odd += load<f64>(x, 8) * load<f64>(y, 8);
  }
  const sum = even + odd;
  return x < end ? sum + load<f64>(x) * load<f64>(y) : sum;
}

function predictFour(x: usize, stride: usize, w: usize, b: f64, out: usize, d: i32): void {
  if (!ASC_FEATURE_SIMD) {
    for (let r: usize = 0; r < 32; r += 8, x += stride) store<f64>(out + r, dotOfPairs(x, w, d) + b);
    return;
  }
  let x1 = x + stride, x2 = x1 + stride, x3 = x2 + stride;
  let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0;
  const end = w + ((<usize>d) << 3);
  for (const pairs = end - 15; w < pairs; w += 16) {
    const v = v128.load(w);
    s0 = f64x2.add(s0, f64x2.mul(v128.load(x), v));
    s1 = f64x2.add(s1, f64x2.mul(v128.load(x1), v));
    s2 = f64x2.add(s2, f64x2.mul(v128.load(x2), v));
    s3 = f64x2.add(s3, f64x2.mul(v128.load(x3), v));
    x += 16;
    x1 += 16;
    x2 += 16;
    x3 += 16;
  }
  let low = f64x2.add(v128.shuffle<f64>(s0, s1, 0, 2), v128.shuffle<f64>(s0, s1, 1, 3));
  let high = f64x2.add(v128.shuffle<f64>(s2, s3, 0, 2), v128.shuffle<f64>(s2, s3, 1, 3));
  if (w < end) {
    const v = v128.load64_splat(w);
    const left = v128.load64_lane(x1, v128.load64_zero(x), 1);
    const right = v128.load64_lane(x3, v128.load64_zero(x2), 1);
    low = f64x2.add(low, f64x2.mul(left, v));
    high = f64x2.add(high, f64x2.mul(right, v));
  }
  const bias = f64x2.splat(b);
  v128.store(out, f64x2.add(low, bias));
  v128.store(out, f64x2.add(high, bias), 16);
}

/** g += sum_j r_j x_j for n consecutive rows. */
export function addRows(r: usize, x: usize, g: usize, n: i32, d: i32): void {
  const stride = (<usize>d) << 3;
  let j = 0;
  for (; j + 4 <= n; j += 4) addFour(at(r, j), x + <usize>j * stride, stride, g, d);
  for (; j < n; j++) addScaled(load<f64>(at(r, j)), x + <usize>j * stride, g, d);
}

/** out f64[n] <- x_j . w + b of n rows from `row` on, dense or sparse. */
@inline function predictFrom(data: TaskData, row: u32, n: i32, w: usize, b: f64, out: usize): void {
  if (data.columns) predictSparse(data, row, n, w, b, out);
  else predictRows(rowAt(data, row), (<usize>data.d) << 3, w, b, out, n, data.d);
}

/** g f64[d] += sum_j r_j x_j of n rows from `row` on, dense or sparse. */
@inline function addFrom(data: TaskData, row: u32, n: i32, r: usize, g: usize): void {
  if (data.columns) addSparseRows(data, row, n, r, g);
  else addRows(r, rowAt(data, row), g, n, data.d);
}

/** g f64[d] += the gradient of L_i at w without an intercept. Cost: 4 n_i d flops. */
export function addTaskGradient(data: TaskData, i: i32, w: usize, g: usize): void {
  const block = blockRows(data.d);
  const c = scaleOf(data, i);
  const end = firstRow(data, i + 1);
  for (let from = firstRow(data, i); from < end; from += block) {
    const n = <i32>min<u32>(block, end - from);
    predictFrom(data, from, n, w, 0.0, slopes);
    weightedSlopesOnly(data.loss, slopes, targetAt(data, from), weightsAt(data, from), n, c);
    addFrom(data, from, n, slopes, g);
  }
}

/**
 * losses[i] = L_i(w_i, b_i) (none where losses is 0), gradients f64[m, d] and interceptGradients f64[m] (or 0)
 * its gradient.
 * Cost: 4 N d flops. Allocates nothing.
 */
export function taskGradients(
  data: TaskData, weights: usize, intercepts: usize, gradients: usize, interceptGradients: usize,
  losses: usize,
): void {
  const m = data.m, d = data.d, loss = data.loss;
  const stride = (<usize>d) << 3;
  const block = blockRows(d);
  for (let i = 0; i < m; i++) {
    const c = scaleOf(data, i);
    const w = weights + <usize>i * stride;
    const g = gradients + <usize>i * stride;
    const b = intercepts ? load<f64>(at(intercepts, i)) : 0.0;
    const end = firstRow(data, i + 1);
    let value = 0.0, slopeSum = 0.0;
    memory.fill(g, 0, stride);
    for (let from = firstRow(data, i); from < end; from += block) {
      const n = <i32>min<u32>(block, end - from);
      predictFrom(data, from, n, w, b, slopes);
      const targets = targetAt(data, from), s = weightsAt(data, from);
      if (losses) value += weightedSlopes(loss, slopes, targets, s, n, c);
      else weightedSlopesOnly(loss, slopes, targets, s, n, c);
      addFrom(data, from, n, slopes, g);
      if (interceptGradients) {
        for (let j = 0; j < n; j++) slopeSum += load<f64>(at(slopes, j));
      }
    }
    if (losses) store<f64>(at(losses, i), c * value);
    if (interceptGradients) store<f64>(at(interceptGradients, i), slopeSum);
  }
}

/** losses[i] = L_i(w_i, b_i) only. */
export function taskLosses(
  data: TaskData, weights: usize, intercepts: usize, losses: usize,
): void {
  const m = data.m, d = data.d;
  const stride = (<usize>d) << 3;
  for (let i = 0; i < m; i++) {
    const w = weights + <usize>i * stride;
    const b = intercepts ? load<f64>(at(intercepts, i)) : 0.0;
    const end = firstRow(data, i + 1);
    let value = 0.0;
    for (let from = firstRow(data, i); from < end; from += MAX_BLOCK) {
      const n = <i32>min<u32>(MAX_BLOCK, end - from);
      predictFrom(data, from, n, w, b, slopes);
      value += weightedSlopes(data.loss, slopes, targetAt(data, from), weightsAt(data, from), n, 1.0);
    }
    store<f64>(at(losses, i), scaleOf(data, i) * value);
  }
}

/** out[j] = x_j . w_i + b_i for every row j of every task i, f64[N]. */
export function taskPredict(
  data: TaskData, weights: usize, intercepts: usize, out: usize,
): void {
  const m = data.m, d = data.d;
  const stride = (<usize>d) << 3;
  for (let i = 0; i < m; i++) {
    const from = firstRow(data, i);
    const n = rowCount(data, i);
    const b = intercepts ? load<f64>(at(intercepts, i)) : 0.0;
    predictFrom(data, from, n, weights + <usize>i * stride, b, out + ((<usize>from) << 3));
  }
}

/**
 * Gradient on a mini-batch: g f64[d] <- scale sum_{k < count} loss'(x_j . w, y_j) x_j with
 * j = rows[k], row numbers u32[count] that may repeat. Returns scale sum_k loss.
 */
export function taskBatchGradient(
  data: TaskData, rows: usize, count: i32, scale: f64, w: usize, g: usize,
): f64 {
  const d = data.d, loss = data.loss;
  const stride = (<usize>d) << 3;
  let value = 0.0;
  memory.fill(g, 0, stride);
  for (let k = 0; k < count; k++) {
    const row = load<u32>(rows + ((<usize>k) << 2));
    const p = data.columns ? sparseDot(data, row, w, 8) : dot(rowAt(data, row), w, d);
    const target = load<f64>(targetAt(data, row));
    const s = data.weights ? load<f64>(weightsAt(data, row)) : 1.0;
    value += s * lossValue(loss, p, target);
    const slope = s * (scale * lossSlope(loss, p, target));
    if (data.columns) addSparse(data, row, slope, g, 8);
    else addScaled(slope, rowAt(data, row), g, d);
  }
  return scale * value;
}
