/**
 * Losses and gradients of all tasks (`task-data.ts`): weights f64[m, d], intercepts f64[m] or 0 for none.
 *
 * A task is taken in blocks of rows that stay in the first-level cache: predictions row by row (one
 * stream, which the prefetcher follows), slopes, then the update four rows at a time. X is read
 * from memory once; where it is larger than the caches, four rows are a block.
 */
import { at } from "../address";
import { addScaledOf, dotOf } from "../blas/vector";
import { lossSlope, lossValue } from "./loss";
import { addRows, predictRows, SHORT_ROW } from "./row-products";
import { addSparse, addSparseRows, predictSparse, sparseDot } from "./sparse-rows";
import { firstRow, narrowAt, rowAt, rowCount, scaleOf, targetAt, TaskData, weightsAt } from "./task-data";
import { weightedSlopes, weightedSlopesOnly } from "./weighted-loss";

const MAX_BLOCK: i32 = 64;
const BLOCK_ENTRIES: i32 = 2048; // 16 KiB of X
const slopes: usize = memory.data(512, 16); // f64[MAX_BLOCK]

@inline function blockRows(d: i32): i32 {
  const rows = min(MAX_BLOCK, BLOCK_ENTRIES / max(1, d));
  return rows >= 4 ? rows & ~3 : max(1, rows);
}

/** Rows of a block where X is streamed. */
const STREAMED_ROWS: i32 = 4;
/** Bytes of a row: of smaller ones, more and shorter blocks cost what they spare. */
const NARROW_ROW: i32 = 256;
/** Bytes of X of which little stays in caches from round to round. */
const CACHED: f64 = 4194304.0;

/** Whether blocks are short, so that memory is read on while the few rows that have arrived are added. Sums are the same, of four rows. */
function isStreamed(data: TaskData): bool {
  const row = data.wide ? data.d << 2 : data.d << 3;
  if (data.columns || row <= NARROW_ROW || blockRows(data.d) < STREAMED_ROWS) return false;
  return <f64>firstRow(data, data.m) * <f64>row > CACHED;
}

/** Rows of the next block where so many are left: a few behind the last block of four belong to it. */
@inline function rowsOfBlock(left: u32, block: i32, streamed: bool): i32 {
  return left < <u32>(streamed ? 2 * block : block) ? <i32>left : block;
}

/** Asks for the block of f64 rows from `row` on, if it is there: the prefetcher does not follow the four streams in which short rows are read. */
@inline function readAhead(data: TaskData, row: u32): void {
  if (row + STREAMED_ROWS > firstRow(data, data.m)) return;
  // Loads may trap, so that no compiler leaves them out.
  for (let line = rowAt(data, row), end = rowAt(data, row + STREAMED_ROWS); line < end; line += 64) load<u8>(line);
}

/** out f64[n] <- x_j . w + b of n rows from `row` on, dense or sparse. */
function predictFrom(data: TaskData, row: u32, n: i32, w: usize, b: f64, out: usize): void {
  if (data.columns) predictSparse(data, row, n, w, b, out);
  else if (data.wide) predictRows<f32>(narrowAt(data, row), (<usize>data.d) << 2, w, b, out, n, data.d);
  else predictRows<f64>(rowAt(data, row), (<usize>data.d) << 3, w, b, out, n, data.d);
}

/** g f64[d] += sum_j r_j x_j of n rows from `row` on, dense or sparse. */
function addFrom(data: TaskData, row: u32, n: i32, r: usize, g: usize): void {
  if (data.columns) addSparseRows(data, row, n, r, g);
  else if (data.wide) addRows<f32>(r, narrowAt(data, row), g, n, data.d);
  else addRows<f64>(r, rowAt(data, row), g, n, data.d);
}

/** out f64[n] <- p + b. */
function shift(p: usize, b: f64, out: usize, n: i32): void {
  for (const end = out + ((<usize>n) << 3); out < end; out += 8, p += 8) store<f64>(out, load<f64>(p) + b);
}

/** x_row . w, and g += a x_row, of one row. */
function dotFrom(data: TaskData, row: u32, w: usize): f64 {
  if (data.columns) return sparseDot(data, row, w, 8);
  return data.wide ? dotOf<f32>(narrowAt(data, row), w, data.d) : dotOf<f64>(rowAt(data, row), w, data.d);
}
function addScaledFrom(data: TaskData, row: u32, a: f64, g: usize): void {
  if (data.columns) addSparse(data, row, a, g, 8);
  else if (data.wide) addScaledOf<f32>(a, narrowAt(data, row), g, data.d);
  else addScaledOf<f64>(a, rowAt(data, row), g, data.d);
}

/**
 * g f64[d] += the gradient of L_i at w without an intercept. Cost: 4 n_i d flops.
 * @param cold whether other tasks were read since this one was.
 */
export function addTaskGradient(data: TaskData, i: i32, w: usize, g: usize, cold: bool): void {
  const streamed = cold && isStreamed(data), ahead = streamed && data.d <= SHORT_ROW;
  const block = streamed ? STREAMED_ROWS : blockRows(data.d);
  const c = scaleOf(data, i);
  const end = firstRow(data, i + 1);
  for (let from = firstRow(data, i), n = 0; from < end; from += n) {
    n = rowsOfBlock(end - from, block, streamed);
    predictFrom(data, from, n, w, 0.0, slopes);
    weightedSlopesOnly(data.loss, slopes, targetAt(data, from), weightsAt(data, from), n, c);
    if (ahead) readAhead(data, from + n);
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
  gradientsAt(data, weights, 0, intercepts, gradients, interceptGradients, losses);
}

/**
 * `taskGradients`, to the same bits, from what `taskPredict` wrote without intercepts, margins f64[N]: where only intercepts move, X
 * need not be read again. gradients 0: not wanted.
 * Cost: 2 N d flops with gradients, else N slopes.
 */
export function taskGradientsOfMargins(
  data: TaskData, margins: usize, intercepts: usize, gradients: usize, interceptGradients: usize,
  losses: usize,
): void {
  gradientsAt(data, 0, margins, intercepts, gradients, interceptGradients, losses);
}

/** By weights, or where margins is not 0 by these. */
function gradientsAt(
  data: TaskData, weights: usize, margins: usize, intercepts: usize, gradients: usize,
  interceptGradients: usize, losses: usize,
): void {
  const m = data.m, d = data.d, loss = data.loss;
  const stride = (<usize>d) << 3;
  // Losses are summed block by block.
  const streamed = losses == 0 && gradients != 0 && isStreamed(data);
  const block = streamed ? STREAMED_ROWS : blockRows(d);
  const ahead = streamed && d <= SHORT_ROW;
  for (let i = 0; i < m; i++) {
    const c = scaleOf(data, i);
    const w = weights + <usize>i * stride;
    const g = gradients + <usize>i * stride;
    const b = intercepts ? load<f64>(at(intercepts, i)) : 0.0;
    const end = firstRow(data, i + 1);
    let value = 0.0, slopeSum = 0.0;
    if (gradients) memory.fill(g, 0, stride);
    for (let from = firstRow(data, i), n = 0; from < end; from += n) {
      n = rowsOfBlock(end - from, block, streamed);
      if (margins) shift(at(margins, from), b, slopes, n);
      else predictFrom(data, from, n, w, b, slopes);
      const targets = targetAt(data, from), s = weightsAt(data, from);
      if (losses) value += weightedSlopes(loss, slopes, targets, s, n, c);
      else weightedSlopesOnly(loss, slopes, targets, s, n, c);
      if (ahead) readAhead(data, from + n);
      if (gradients) addFrom(data, from, n, slopes, g);
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
  const loss = data.loss;
  let value = 0.0;
  memory.fill(g, 0, (<usize>data.d) << 3);
  for (let k = 0; k < count; k++) {
    const row = load<u32>(rows + ((<usize>k) << 2));
    const p = dotFrom(data, row, w);
    const target = load<f64>(targetAt(data, row));
    const s = data.weights ? load<f64>(weightsAt(data, row)) : 1.0;
    value += s * lossValue(loss, p, target);
    const slope = s * (scale * lossSlope(loss, p, target));
    addScaledFrom(data, row, slope, g);
  }
  return scale * value;
}
