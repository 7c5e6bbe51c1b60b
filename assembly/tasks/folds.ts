/**
 * Tasks without a fold of their rows, read where all rows lie.
 */
import { at } from "../address";
import { syrkWorkspace } from "../blas/symmetric";
import { addScaled } from "../blas/vector";
import { predictRows } from "./row-products";
import { formEntries, formOf, rooted } from "./quadratic";
import { sparseDot } from "./sparse-rows";
import { firstRow, FoldEntries, narrowAt, rowAt, rowCount, TaskData } from "./task-data";

@inline function word(base: usize, i: i32): u32 {
  return load<u32>(base + ((<usize>i) << 2));
}

/** Folds that a task of n rows has. */
export function foldsOf(n: i32, parts: i32): i32 {
  return n > 1 ? min(n, parts) : 0;
}

/** Rows of n that a fold holds out. */
export function heldOut(n: i32, fold: i32, parts: i32): i32 {
  return (n - fold + parts - 1) / parts;
}

/**
 * out f64[rows held out] <- x . w_e + b_e of every row that an entry holds out, entry by entry; weights
 * f64[count, d], intercepts f64[count] or 0.
 */
export function foldPredictions(
  data: TaskData, entries: FoldEntries, weights: usize, intercepts: usize, out: usize,
): void {
  const d = data.d, parts = entries.parts;
  const stride = (<usize>d) << 3;
  for (let e = 0; e < entries.count; e++, weights += stride) {
    const owner = word(entries.owners, e);
    const fold = word(entries.folds, e);
    const n = heldOut(rowCount(data, owner), fold, parts);
    const b = intercepts ? load<f64>(at(intercepts, e)) : 0.0;
    const first = firstRow(data, owner) + fold;
    if (data.columns) {
      for (let j = 0; j < n; j++) {
        store<f64>(at(out, j), sparseDot(data, first + j * parts, weights, 8) + b);
      }
    } else if (data.wide) {
      predictRows<f32>(narrowAt(data, first), <usize>parts * (stride >> 1), weights, b, out, n, d);
    } else {
      predictRows<f64>(rowAt(data, first), <usize>parts * stride, weights, b, out, n, d);
    }
    out = at(out, n);
  }
}

/**
 * forms <- those of all entries (`quadratic.ts`). Sums of the other folds' own forms,
 * so that nothing cancels; entries of one task side by side share them. Cost: n d (d + 1) flops a task and
 * min(n, parts) d^2 an entry.
 */
export function foldForms(
  data: TaskData, entries: FoldEntries, intercept: i32, forms: usize, work: usize,
): void {
  const d = data.d, parts = entries.parts, count = entries.count;
  const stride = (<usize>d) << 3;
  const length = formEntries(d, intercept != 0);
  const size = (<usize>length) << 3;
  for (let e = 0; e < count; ) {
    const owner = word(entries.owners, e);
    let end = e + 1;
    while (end < count && word(entries.owners, end) == owner) end++;
    memory.fill(forms + <usize>e * size, 0, <usize>(end - e) * size);
    const from = firstRow(data, owner);
    const n = rowCount(data, owner);
    for (let part = 0; part < min(n, parts); part++) {
      const b = heldOut(n, part, parts);
      const form = work;
      const rows = form + ((size + 15) & ~15);
      const targets = rows + <usize>b * stride;
      const rest = rooted(data, from + part, parts, b, rows);
      const roots = data.weights ? at(targets, b) : 0;
      formOf(rows, targets, roots, b, 1.0, intercept, form, d, rest);
      for (let k = e; k < end; k++) {
        if (word(entries.folds, k) == part) continue;
        addScaled(load<f64>(at(entries.scales, k)), form, forms + <usize>k * size, length);
      }
    }
    e = end;
  }
}

/** For tasks of at most `rows` rows. */
export function foldFormsWorkspace(rows: i32, parts: i32, d: i32): f64 {
  const b = (rows + parts - 1) / parts;
  const blocks = <f64>d * <f64>(d + 2) + 2.0 + <f64>b * <f64>(d + 2);
  return 8.0 * blocks + 32.0 + syrkWorkspace(b, d);
}
