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
  const length = formEntries(d, intercept != 0);
  const apart = (<usize>(length + 1) << 3) & ~15;
  const rows = work + <usize>parts * apart;
  for (let e = 0; e < count; ) {
    const owner = word(entries.owners, e);
    const from = firstRow(data, owner);
    const n = rowCount(data, owner);
    const folds = min(n, parts);
    for (let part = 0; part < folds; part++) {
      const b = heldOut(n, part, parts);
      const targets = at(rows, b * d);
      const rest = rooted(data, from + part, parts, b, rows);
      const roots = data.weights ? at(targets, b) : 0;
      formOf(rows, targets, roots, b, 1.0, intercept, work + <usize>part * apart, d, rest);
    }
    for (; e < count && word(entries.owners, e) == owner; e++) {
      const fold = <i32>word(entries.folds, e), scale = load<f64>(at(entries.scales, e));
      sumOfOthers(work, apart, folds, fold, scale, at(forms, e * length), length);
    }
  }
}

/** out f64[n] <- factor times the sum of all of `count` blocks but one. */
function sumOfOthers(
  blocks: usize, apart: usize, count: i32, but: i32, factor: f64, out: usize, n: i32,
): void {
  let done = 0;
  if (count > 4) {
    const a = other(blocks, apart, but, 0), b = other(blocks, apart, but, 1);
    const c = other(blocks, apart, but, 2), e = other(blocks, apart, but, 3);
    scaledSum(a, b, c, e, factor, out, n);
    done = 4;
  } else memory.fill(out, 0, (<usize>n) << 3);
  for (; done < count - 1; done++) addScaled(factor, other(blocks, apart, but, done), out, n);
}

/** Where the k-th block lies of all but one. */
@inline function other(blocks: usize, apart: usize, but: i32, k: i32): usize {
  return blocks + <usize>(k < but ? k : k + 1) * apart;
}

/** out f64[n] <- factor (a + b + (c + e)). */
function scaledSum(a: usize, b: usize, c: usize, e: usize, factor: f64, out: usize, n: i32): void {
  const end = at(out, n);
  if (ASC_FEATURE_SIMD) {
    const factors = f64x2.splat(factor);
    for (const pairs = end - 15; out < pairs; out += 16) {
      const left = f64x2.add(v128.load(a), v128.load(b)), right = f64x2.add(v128.load(c), v128.load(e));
      v128.store(out, f64x2.mul(factors, f64x2.add(left, right)));
      a += 16;
      b += 16;
      c += 16;
      e += 16;
    }
  }
  for (; out < end; out += 8) {
    const sum = load<f64>(a) + load<f64>(b) + (load<f64>(c) + load<f64>(e));
    store<f64>(out, factor * sum);
    a += 8;
    b += 8;
    c += 8;
    e += 8;
  }
}

/** For tasks of at most `rows` rows. */
export function foldFormsWorkspace(rows: i32, parts: i32, d: i32): f64 {
  const b = (rows + parts - 1) / parts;
  const form = <f64>d * <f64>(d + 2) + 4.0;
  return 8.0 * (<f64>parts * form + <f64>b * <f64>(d + 2)) + 32.0 + syrkWorkspace(b, d);
}
