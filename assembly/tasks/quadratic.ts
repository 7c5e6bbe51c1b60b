/**
 * Gradients of squared losses as those of quadratics: with
 *   H_i = c_i X_i^T X_i,  h_i = c_i X_i^T y_i,  s_i = c_i X_i^T 1
 * the gradient of L_i at (w, b) is H_i w + b s_i - h_i in w and s_i w + c_i n_i b - c_i 1^T y_i in b: 2 d^2
 * flops a task instead of 4 n_i d. The rounding is that of products with H_i: relative to ||H_i|| ||w||, as
 * for rows, where the gradient does not nearly vanish.
 *
 * Rows with weights s_j are those of sqrt(s_j) x_j, sqrt(s_j) y_j and, in place of 1, sqrt(s_j).
 *
 * The form of a task: H f64[d, d] (both triangles), h f64[d] and, with intercepts, s f64[d], c n, c 1^T y.
 */
import { at } from "../address";
import { combineRows } from "../blas/combine";
import { syrk, syrkWorkspace } from "../blas/symmetric";
import { addScaled, dot, scale } from "../blas/vector";
import { copyRows, rowsAt } from "./wide-rows";
import { firstRow, rowCount, scaleOf, targetAt, TaskData, weightsAt } from "./task-data";

/** Features from which a form's rows are too far apart for the prefetcher, and bytes of forms of which little stays in caches. */
const WIDE_FORM: i32 = 56;
const CACHED: f64 = 8388608.0;

/** Float64s of a form. */
@inline export function formEntries(d: i32, intercept: bool): i32 {
  return d * d + d + (intercept ? d + 2 : 0);
}

/** Bytes of the forms of m tasks. */
export function quadraticFormBytes(m: i32, d: i32, intercept: i32): f64 {
  const size = <f64>d;
  return 8.0 * <f64>m * (size * size + size + (intercept ? size + 2.0 : 0.0));
}

/** forms <- those of all tasks. Cost: N d^2 flops. */
export function quadraticForms(
  data: TaskData, intercept: i32, forms: usize, work: usize,
): void {
  const m = data.m, d = data.d;
  const entries = formEntries(d, intercept != 0);
  for (let i = 0; i < m; i++, forms = at(forms, entries)) {
    const from = firstRow(data, i);
    const n = rowCount(data, i);
    let rows = rowsAt(data, from, n), targets = targetAt(data, from), roots: usize = 0, rest = work;
    if (data.weights) {
      rest = rooted(data, from, 1, n, work);
      rows = work;
      targets = at(rows, n * d);
      roots = at(targets, n);
    }
    formOf(rows, targets, roots, n, scaleOf(data, i), intercept, forms, d, rest);
  }
}

/**
 * out <- sqrt(s) x of n rows, `step` apart from row `from` on, f64[n, d], then sqrt(s) y and, of weighted tasks, sqrt(s),
 * f64[n] each; returns where they end, as memory for matrix products wants it.
 */
export function rooted(data: TaskData, from: u32, step: i32, n: i32, out: usize): usize {
  const d = data.d;
  const targets = at(out, n * d);
  const roots = at(targets, n);
  for (let j = 0; j < n; j++) {
    const row = from + j * step;
    const x = out + ((<usize>j * <usize>d) << 3);
    copyRows(data, row, 1, x);
    const y = load<f64>(targetAt(data, row));
    if (!data.weights) {
      store<f64>(at(targets, j), y);
      continue;
    }
    const root = Math.sqrt(load<f64>(weightsAt(data, row)));
    scale(root, x, d);
    store<f64>(at(targets, j), root * y);
    store<f64>(at(roots, j), root);
  }
  return ((data.weights ? at(roots, n) : roots) + 15) & ~15;
}

/** form <- that of n rows f64[n, d] with targets f64[n], and `roots` f64[n] in the place of ones, or 0 for ones. */
export function formOf(
  rows: usize, targets: usize, roots: usize, n: i32, c: f64, intercept: i32, form: usize, d: i32, work: usize,
): void {
  const h = at(form, d * d);
  syrk(rows, form, n, d, work);
  combineRows(1.0, 0, targets, rows, h, n, d);
  if (c != 1.0) scale(c, form, d * d + d);
  if (!intercept) return;
  const sums = at(h, d);
  memory.fill(sums, 0, (<usize>d) << 3);
  let total = 0.0, mass = 0.0;
  for (let j = 0; j < n; j++) {
    const root = roots ? load<f64>(at(roots, j)) : 1.0;
    addScaled(root * c, rows + ((<usize>j * <usize>d) << 3), sums, d);
    total += root * c * load<f64>(at(targets, j));
    mass += root * root;
  }
  store<f64>(at(sums, d), c * mass);
  store<f64>(at(sums, d + 1), total);
}
/** For tasks of at most `rows` rows, those of weighted ones if `weighted` is 1. */
export function quadraticFormsWorkspace(rows: i32, d: i32, weighted: i32): f64 {
  const copies = weighted ? 8.0 * <f64>rows * <f64>(d + 2) + 16.0 : 0.0;
  return syrkWorkspace(rows, d) + copies;
}

/** Asks for a form before the one in front of it is multiplied: loads may trap, so that no compiler leaves them out. */
@inline function readAhead(form: usize, entries: i32): void {
  for (const end = at(form, entries); form < end; form += 64) load<u8>(form);
}

/**
 * gradients f64[m, d] and interceptGradients f64[m] (with intercepts f64[m]; both 0 without) of all tasks at
 * weights f64[m, d]; `gradients` apart from `weights`.
 */
export function quadraticGradients(
  forms: usize, weights: usize, intercepts: usize, gradients: usize, interceptGradients: usize, m: i32,
  d: i32,
): void {
  const stride = (<usize>d) << 3;
  const entries = formEntries(d, intercepts != 0);
  const ahead = d >= WIDE_FORM && 8.0 * <f64>m * <f64>entries > CACHED;
  for (let i = 0; i < m; i++) {
    const h = at(forms, d * d);
    if (ahead && i < m - 1) readAhead(at(forms, entries), entries);
    combineRows(-1.0, h, weights, forms, gradients, d, d);
    if (intercepts) {
      const b = load<f64>(at(intercepts, i));
      const sums = at(h, d);
      addScaled(b, sums, gradients, d);
      const slope = dot(sums, weights, d) + b * load<f64>(at(sums, d)) - load<f64>(at(sums, d + 1));
      store<f64>(at(interceptGradients, i), slope);
    }
    forms = at(forms, entries);
    weights += stride;
    gradients += stride;
  }
}
