/**
 * Damped Newton in (w, b). Rows are taken in blocks: predictions, then the loss, slopes and curvatures of all of
 * them, then what they add up to.
 */
import { addScaled, dot } from "../blas/vector";
import { cholesky } from "../cholesky";
import { addRows, predictRows } from "./row-products";
import { accepted, LEAST_CURVATURE, MOST_HALVINGS, NewtonTask } from "./newton-task";
import { addOuters, solveLower, solveUpper, symmetricTimes } from "./systems";
import { weightedSlopes, weightedTerms } from "./weighted-loss";

const BLOCK: i32 = 64;
const predictions: usize = memory.data(512, 16); // f64[BLOCK]
const slopes: usize = memory.data(512, 16);
const curvatures: usize = memory.data(512, 16);

@inline function get(base: usize, i: i32): f64 {
  return load<f64>(base + ((<usize>i) << 3));
}
@inline function set(base: usize, i: i32, value: f64): void {
  store<f64>(base + ((<usize>i) << 3), value);
}
@inline function rowOf(task: NewtonTask, j: i32): usize {
  return task.x + ((<usize>j * <usize>task.d) << 3);
}

/** Slopes and curvatures, times c, of `count` rows from row j on at (w, b); returns their losses, times c. */
function termsOf(task: NewtonTask, j: i32, count: i32, intercept: f64): f64 {
  const c = task.c;
  const stride = (<usize>task.d) << 3;
  predictRows<f64>(rowOf(task, j), stride, task.w, intercept, predictions, count, task.d);
  const targets = task.y + ((<usize>j) << 3);
  const s = task.s ? task.s + ((<usize>j) << 3) : 0;
  const sum = weightedTerms(task.loss, predictions, targets, s, slopes, curvatures, count, c);
  for (let r = 0; r < count; r++) set(curvatures, r, Math.max(get(curvatures, r), c * LEAST_CURVATURE));
  return c * sum;
}

/** Lower triangle of h += sum_r curvatures[r] x_r x_r^T of `count` rows. */
function addCurved(rows: usize, count: i32, h: usize, d: i32): void {
  for (let r = 0; r < count; r += 4) {
    const at = (<usize>r) << 3;
    addOuters(curvatures + at, rows + at * <usize>d, min(4, count - r), h, d);
  }
}

/** The same of the rows less `mean`; block f64[4, d] is scratch. */
function addCentred(rows: usize, count: i32, mean: usize, h: usize, d: i32, block: usize): void {
  const stride = (<usize>d) << 3;
  for (let r = 0; r < count; r += 4) {
    const some = min(4, count - r);
    memory.copy(block, rows + <usize>r * stride, <usize>some * stride);
    for (let k = 0; k < some; k++) addScaled(-1.0, mean, block + <usize>k * stride, d);
    addOuters(curvatures + ((<usize>r) << 3), block, some, h, d);
  }
}

/** F at w + t dw, b + t db; u f64[d] and pu f64[d] are scratch. */
function objective(
  task: NewtonTask, dw: usize, t: f64, intercept: f64, u: usize, pu: usize,
): f64 {
  const d = task.d;
  memory.copy(u, task.w, (<usize>d) << 3);
  addScaled(t, dw, u, d);
  let value = 0.0;
  for (let j = 0; j < task.n; j += BLOCK) {
    const count = min(BLOCK, task.n - j);
    predictRows<f64>(rowOf(task, j), (<usize>d) << 3, u, intercept, predictions, count, d);
    const from = (<usize>j) << 3, s = task.s ? task.s + from : 0;
    value += weightedSlopes(task.loss, predictions, task.y + from, s, count, 1.0);
  }
  if (task.center) addScaled(-1.0, task.center, u, d);
  symmetricTimes(task.precision, u, pu, d, (<usize>d) << 3);
  return task.c * value + 0.5 * dot(u, pu, d);
}

/** Solves the task; h f64[d, d] and vectors f64[9 d] are scratch. Whether it converged. */
export function newtonPrimal(task: NewtonTask, h: usize, vectors: usize): bool {
  const n = task.n, d = task.d, w = task.w, b = task.b, center = task.center;
  const precision = task.precision;
  const stride = (<usize>d) << 3;
  const g = vectors, step = g + stride, mean = step + stride, u = mean + stride, pu = u + stride;
  const block = pu + stride; // f64[4, d]
  for (let iteration = 0; iteration < task.maxIterations; iteration++) {
    const intercept = b ? load<f64>(b) : 0.0;
    memory.copy(u, w, stride);
    if (center) addScaled(-1.0, center, u, d);
    symmetricTimes(precision, u, g, d, stride);
    memory.copy(h, precision, <usize>d * stride);
    memory.fill(mean, 0, stride);
    let value = 0.5 * dot(u, g, d);
    let slope = 0.0, mass = 0.0;
    for (let j = 0; j < n; j += BLOCK) {
      const count = min(BLOCK, n - j);
      const rows = rowOf(task, j);
      value += termsOf(task, j, count, intercept);
      addRows<f64>(slopes, rows, g, count, d);
      if (b == 0) {
        addCurved(rows, count, h, d);
        continue;
      }
      addRows<f64>(curvatures, rows, mean, count, d);
      for (let r = 0; r < count; r++) {
        slope += get(slopes, r);
        mass += get(curvatures, r);
      }
    }
    if (b) {
      // Centred at the weighted mean, the intercept decouples from the weights.
      for (let k = 0; k < d; k++) set(mean, k, get(mean, k) / mass);
      for (let j = 0; j < n; j += BLOCK) {
        const count = min(BLOCK, n - j);
        if (n > BLOCK) termsOf(task, j, count, intercept);
        addCentred(rowOf(task, j), count, mean, h, d, block);
      }
    }
    if (cholesky(h, d) != 0) return false;
    memory.copy(step, g, stride);
    if (b) addScaled(-slope, mean, step, d);
    solveLower(h, step, d);
    let decrement = dot(step, step, d);
    if (b) decrement += (slope * slope) / mass;
    solveUpper(h, step, d);
    for (let k = 0; k < d; k++) set(step, k, -get(step, k));
    const shift = b ? -slope / mass - dot(mean, step, d) : 0.0;

    let t = 1.0;
    const done = 0.5 * decrement <= task.tolerance * (1.0 + value);
    if (!done) {
      let halvings = 0;
      while (!accepted(value, objective(task, step, t, intercept + t * shift, u, pu), t, decrement)) {
        if (++halvings > MOST_HALVINGS) return false;
        t *= 0.5;
      }
    }
    addScaled(t, step, w, d);
    if (b) store<f64>(b, intercept + t * shift);
    if (done) return true;
  }
  return false;
}
