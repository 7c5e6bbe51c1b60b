/**
 * Softmax loss of all tasks: classes y in 0 .. C-1 (as f64), weights f64[m, d C], row i the
 * d x C row-major parameters of task i; logits z = x^T W_i, loss log sum_c exp(z_c) - z_y. Layout of
 * the rest as in `gradients.ts`. work f64[C] (`softmaxGradientsWorkspace`).
 */
import { addScaled } from "../blas/vector";

@inline function at(base: usize, i: i32): usize {
  return base + ((<usize>i) << 3);
}

/** z f64[C] <- x^T W. */
function logits(x: usize, w: usize, z: usize, d: i32, classes: i32): void {
  memory.fill(z, 0, (<usize>classes) << 3);
  const stride = (<usize>classes) << 3;
  for (let k = 0; k < d; k++) addScaled(load<f64>(at(x, k)), w + <usize>k * stride, z, classes);
}

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

/** g += scale times the row's gradient, or nothing if g is 0; returns the row's loss. */
function oneRow(
  row: usize, label: f64, w: usize, g: usize, scale: f64, d: i32, classes: i32, z: usize,
): f64 {
  const target = at(z, <i32>label);
  logits(row, w, z, d, classes);
  const chosen = load<f64>(target);
  const value = normalise(z, classes) - chosen;
  if (!g) return value;
  const classBytes = (<usize>classes) << 3;
  store<f64>(target, load<f64>(target) - 1.0);
  for (let k = 0; k < d; k++) {
    addScaled(scale * load<f64>(at(row, k)), z, g + <usize>k * classBytes, classes);
  }
  return value;
}

/** losses[i] = L_i(W_i); gradients f64[m, d C] its gradient, or 0 for losses only. */
function pass(
  x: usize, y: usize, offsets: usize, scales: usize, weights: usize, gradients: usize,
  losses: usize, m: i32, d: i32, classes: i32, z: usize,
): void {
  const rowBytes = (<usize>d) << 3;
  const classBytes = (<usize>classes) << 3;
  const size = <usize>d * classBytes;
  for (let i = 0; i < m; i++) {
    const scale = load<f64>(at(scales, i));
    const w = weights + <usize>i * size;
    const g = gradients ? gradients + <usize>i * size : 0;
    const end = load<u32>(offsets + ((<usize>(i + 1)) << 2));
    let value = 0.0;
    if (gradients) memory.fill(g, 0, size);
    for (let j = load<u32>(offsets + ((<usize>i) << 2)); j < end; j++) {
      const label = load<f64>(y + ((<usize>j) << 3));
      value += oneRow(x + <usize>j * rowBytes, label, w, g, scale, d, classes, z);
    }
    store<f64>(at(losses, i), scale * value);
  }
}

/** losses[i] = L_i(W_i), gradients f64[m, d C] its gradient. */
export function softmaxGradients(
  x: usize, y: usize, offsets: usize, scales: usize, weights: usize, gradients: usize,
  losses: usize, m: i32, d: i32, classes: i32, work: usize,
): void {
  pass(x, y, offsets, scales, weights, gradients, losses, m, d, classes, work);
}

/**
 * Gradient on a mini-batch: g f64[d C] <- scale sum_{k < count} of row rows[k]'s gradient at
 * w f64[d C], row numbers u32[count] that may repeat. Returns scale times the sum of losses.
 */
export function softmaxBatchGradient(
  x: usize, y: usize, rows: usize, count: i32, scale: f64, w: usize, g: usize, d: i32,
  classes: i32, work: usize,
): f64 {
  const rowBytes = (<usize>d) << 3;
  let value = 0.0;
  memory.fill(g, 0, <usize>d * ((<usize>classes) << 3));
  for (let k = 0; k < count; k++) {
    const row = <usize>load<u32>(rows + ((<usize>k) << 2));
    const label = load<f64>(y + (row << 3));
    value += oneRow(x + row * rowBytes, label, w, g, scale, d, classes, work);
  }
  return scale * value;
}

/** losses[i] = L_i(W_i) only. */
export function softmaxLosses(
  x: usize, y: usize, offsets: usize, scales: usize, weights: usize, losses: usize, m: i32, d: i32,
  classes: i32, work: usize,
): void {
  pass(x, y, offsets, scales, weights, 0, losses, m, d, classes, work);
}

/** out f64[N, C]: class probabilities of every row under its own task's parameters. */
export function softmaxPredict(
  x: usize, offsets: usize, weights: usize, out: usize, m: i32, d: i32, classes: i32,
): void {
  const classBytes = (<usize>classes) << 3;
  for (let i = 0; i < m; i++) {
    const w = weights + <usize>i * <usize>d * classBytes;
    const end = load<u32>(offsets + ((<usize>(i + 1)) << 2));
    for (let j = load<u32>(offsets + ((<usize>i) << 2)); j < end; j++) {
      const z = out + <usize>j * classBytes;
      logits(x + (<usize>j * <usize>d << 3), w, z, d, classes);
      normalise(z, classes);
    }
  }
}

/** Bytes of `work` for the losses and gradients above. */
export function softmaxGradientsWorkspace(d: i32, classes: i32): f64 {
  return 8.0 * <f64>classes;
}
