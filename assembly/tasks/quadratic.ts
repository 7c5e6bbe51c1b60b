/**
 * Gradients of squared losses as those of quadratics: with
 *   H_i = c_i X_i^T X_i,  h_i = c_i X_i^T y_i,  s_i = c_i X_i^T 1
 * the gradient of L_i at (w, b) is H_i w + b s_i - h_i in w and s_i w + c_i n_i b - c_i 1^T y_i in b: 2 d^2
 * flops a task instead of 4 n_i d. The rounding is that of products with H_i: relative to ||H_i|| ||w||, as
 * for rows, where the gradient does not nearly vanish.
 *
 * The form of a task: H f64[d, d] (both triangles), h f64[d] and, with intercepts, s f64[d], c n, c 1^T y.
 */
import { at } from "../address";
import { combineRows } from "../blas/combine";
import { syrk, syrkWorkspace } from "../blas/symmetric";
import { addScaled, dot, scale } from "../blas/vector";
import { firstRow, rowAt, rowCount, scaleOf, targetAt, TaskData } from "./task-data";

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
    const rows = rowAt(data, from), targets = targetAt(data, from);
    formOf(rows, targets, rowCount(data, i), scaleOf(data, i), intercept, forms, d, work);
  }
}

/** form <- that of n rows f64[n, d] with targets f64[n]. */
export function formOf(
  rows: usize, targets: usize, n: i32, c: f64, intercept: i32, form: usize, d: i32, work: usize,
): void {
  const h = at(form, d * d);
  syrk(rows, form, n, d, work);
  combineRows(1.0, 0, targets, rows, h, n, d);
  if (c != 1.0) scale(c, form, d * d + d);
  if (!intercept) return;
  const sums = at(h, d);
  memory.fill(sums, 0, (<usize>d) << 3);
  let total = 0.0;
  for (let j = 0; j < n; j++) {
    addScaled(c, rows + ((<usize>j * <usize>d) << 3), sums, d);
    total += c * load<f64>(at(targets, j));
  }
  store<f64>(at(sums, d), c * <f64>n);
  store<f64>(at(sums, d + 1), total);
}
export function quadraticFormsWorkspace(rows: i32, d: i32): f64 {
  return syrkWorkspace(rows, d);
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
  for (let i = 0; i < m; i++) {
    const h = at(forms, d * d);
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
