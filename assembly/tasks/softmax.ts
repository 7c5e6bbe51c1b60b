/**
 * Softmax loss of all tasks: classes y in 0 .. C-1 (as f64), C of the data `outputs`, weights
 * f64[m, d C], row i the d x C row-major parameters of task i; logits z = x^T W_i, loss log sum_c exp(z_c) - z_y. Layout of
 * the rest as in `gradients.ts`. work f64[4 C] (`softmaxGradientsWorkspace`).
 */
import { at } from "../address";
import { addOuters, logits } from "./softmax-rows";
import { addSparse, sparseDot } from "./sparse-rows";
import { rowsAt } from "./wide-rows";
import { firstRow, scaleOf, targetAt, TaskData, weightsAt } from "./task-data";

/** z f64[C] <- its softmax; returns log sum_c exp(z_c), by way of the largest logit. */
function normalise(z: usize, classes: i32): f64 {
  let top = -Infinity;
  for (let c = 0; c < classes; c++) top = Math.max(top, load<f64>(at(z, c)));
  let sum = 0.0;
  for (let c = 0; c < classes; c++) {
    const e = Math.exp(load<f64>(at(z, c)) - top);
    store<f64>(at(z, c), e);
    sum += e;
  }
  const inverse = 1.0 / sum;
  for (let c = 0; c < classes; c++) store<f64>(at(z, c), load<f64>(at(z, c)) * inverse);
  return top + Math.log(sum);
}

/** z f64[C] <- scale times the derivative of one row's loss in its logits z; returns the loss. */
function slopes(z: usize, label: f64, scale: f64, classes: i32): f64 {
  const target = at(z, <i32>label);
  const chosen = load<f64>(target);
  const value = normalise(z, classes) - chosen;
  store<f64>(target, load<f64>(target) - 1.0);
  for (let c = 0; c < classes; c++) store<f64>(at(z, c), scale * load<f64>(at(z, c)));
  return value;
}

/** Where `rows` <= 4 rows from `row` on lie in f64; 0 of sparse ones. */
@inline function fourAt(data: TaskData, row: u32, rows: i32): usize {
  return data.columns ? 0 : rowsAt(data, row, rows);
}

/** z f64[rows, C] <- logits of `rows` <= 4 rows from `row` on, which lie at x. */
@inline function logitsFrom(data: TaskData, x: usize, row: u32, rows: i32, w: usize, z: usize): void {
  const classes = data.outputs;
  if (x) {
    logits(x, rows, w, z, data.d, classes);
    return;
  }
  const stride = (<usize>classes) << 3;
  for (let r = 0; r < rows; r++) {
    for (let c: usize = 0; c < stride; c += 8) {
      store<f64>(z + <usize>r * stride + c, sparseDot(data, row + r, w + c, stride));
    }
  }
}

/** g f64[d, C] += X^T Z of the same rows. */
@inline function addFrom(data: TaskData, x: usize, row: u32, rows: i32, z: usize, g: usize): void {
  const classes = data.outputs;
  if (x) {
    addOuters(x, rows, z, g, data.d, classes);
    return;
  }
  const stride = (<usize>classes) << 3;
  for (let r = 0; r < rows; r++) {
    for (let c: usize = 0; c < stride; c += 8) {
      addSparse(data, row + r, load<f64>(z + <usize>r * stride + c), g + c, stride);
    }
  }
}

/** g += scale times the gradient of `rows` <= 4 rows from `row` on, or nothing if g is 0; returns their loss. */
function someRows(
  data: TaskData, row: u32, rows: i32, w: usize, g: usize, scale: f64, z: usize,
): f64 {
  const classes = data.outputs;
  const y = targetAt(data, row), s = weightsAt(data, row);
  let value = 0.0;
  const x = fourAt(data, row, rows);
  logitsFrom(data, x, row, rows, w, z);
  for (let r = 0; r < rows; r++) {
    const own = z + ((<usize>r * <usize>classes) << 3);
    const weight = s ? load<f64>(at(s, r)) : 1.0;
    value += weight * slopes(own, load<f64>(at(y, r)), weight * scale, classes);
  }
  if (g) addFrom(data, x, row, rows, z, g);
  return value;
}

/** losses[i] = L_i(W_i); gradients f64[m, d C] its gradient, or 0 for losses only. */
function pass(
  data: TaskData, weights: usize, gradients: usize, losses: usize, z: usize,
): void {
  const m = data.m, d = data.d, classes = data.outputs;
  const classBytes = (<usize>classes) << 3;
  const size = <usize>d * classBytes;
  for (let i = 0; i < m; i++) {
    const scale = scaleOf(data, i);
    const w = weights + <usize>i * size;
    const g = gradients ? gradients + <usize>i * size : 0;
    const end = firstRow(data, i + 1);
    let value = 0.0;
    if (gradients) memory.fill(g, 0, size);
    for (let j = firstRow(data, i); j < end; j += 4) {
      const rows = <i32>min<u32>(4, end - j);
      value += someRows(data, j, rows, w, g, scale, z);
    }
    store<f64>(at(losses, i), scale * value);
  }
}

/** losses[i] = L_i(W_i), gradients f64[m, d C] its gradient. */
export function softmaxGradients(
  data: TaskData, weights: usize, gradients: usize, losses: usize, work: usize,
): void {
  pass(data, weights, gradients, losses, work);
}

/**
 * Gradient on a mini-batch: g f64[d C] <- scale sum_{k < count} of row rows[k]'s gradient at
 * w f64[d C], row numbers u32[count] that may repeat. Returns scale times the sum of losses.
 */
export function softmaxBatchGradient(
  data: TaskData, rows: usize, count: i32, scale: f64, w: usize, g: usize, work: usize,
): f64 {
  const d = data.d, classes = data.outputs;
  let value = 0.0;
  memory.fill(g, 0, <usize>d * ((<usize>classes) << 3));
  for (let k = 0; k < count; k++) {
    const row = load<u32>(rows + ((<usize>k) << 2));
    value += someRows(data, row, 1, w, g, scale, work);
  }
  return scale * value;
}

/** losses[i] = L_i(W_i) only. */
export function softmaxLosses(
  data: TaskData, weights: usize, losses: usize, work: usize,
): void {
  pass(data, weights, 0, losses, work);
}

/** out f64[N, C]: class probabilities of every row under its own task's parameters. */
export function softmaxPredict(
  data: TaskData, weights: usize, out: usize,
): void {
  const m = data.m, d = data.d, classes = data.outputs;
  const classBytes = (<usize>classes) << 3;
  for (let i = 0; i < m; i++) {
    const w = weights + <usize>i * <usize>d * classBytes;
    const end = firstRow(data, i + 1);
    for (let j = firstRow(data, i); j < end; j += 4) {
      const rows = <i32>min<u32>(4, end - j);
      const z = out + <usize>j * classBytes;
      logitsFrom(data, fourAt(data, j, rows), j, rows, w, z);
      for (let r = 0; r < rows; r++) normalise(z + <usize>r * classBytes, classes);
    }
  }
}

/** Bytes of `work` for the losses and gradients above. */
export function softmaxGradientsWorkspace(d: i32, classes: i32): f64 {
  return 32.0 * <f64>classes;
}
