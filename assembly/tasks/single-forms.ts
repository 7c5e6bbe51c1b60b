/**
 * Quadratics (`quadratic.ts`) of tasks without a fold of their rows, in single precision, as `projected-rounds.ts` takes them: with
 * rows (x, 1) where there are intercepts, and targets less their mean over all of the task's rows,
 *   A = eta c sum s (x, 1)^T (x, 1), mu eta added on the diagonal of the features, and h = eta c sum s (x, 1) (y - mean) times a scale.
 * What the mean takes from the targets is taken in double precision, and rows are multiplied by sqrt(eta) before they are rounded, so that
 * the unit of features and targets does not matter. The forms of folds are sums of the other folds' parts, so that nothing cancels.
 *
 * Layout: A f32[n, stride], then h f32[stride]: zero beyond entry n, features and intercept.
 * Cost: 2 rows n^2 flops a task and parts n^2 an entry. Rounding: relative to sums of absolute values within (rows / 32 + 40) 2^-24.
 */
import { at } from "../address";
import { foldsOf, heldOut } from "./folds";
import { narrow, single } from "./single-steps";
import { firstRow, FoldEntries, rowCount, targetAt, TaskData, weightsAt } from "./task-data";
import { rowsAt } from "./wide-rows";

/** Rows that are summed in registers. */
const BLOCK: i32 = 32;

/** As src/learning/families/projected/single-forms.ts writes it. */
@unmanaged
export class SingleForms {
  /** Times h. */
  scale: f64;
  /** mu. */
  strongConvexity: f64;
  data: TaskData;
  entries: FoldEntries;
  /** f64[count], the eta of each entry. */
  steps: usize;
  /** Whether there are intercepts. */
  intercept: i32;
  /** `singleFormEntries` of each entry, and f64[count], the means: 0 without intercepts. */
  forms: usize;
  means: usize;
  /** `singleFormsWorkspace` bytes. */
  work: usize;
}

/** Entries of a row: n of them, filled up to a multiple of 8. */
@inline export function strideOf(n: i32): i32 {
  return (n + 7) & ~7;
}

/** Float32s of a form. */
export function singleFormEntries(d: i32, intercept: i32): f64 {
  const n = intercept ? d + 1 : d;
  return <f64>(n + 1) * <f64>strideOf(n);
}

export function singleFormsWorkspace(parts: i32, d: i32, intercept: i32): f64 {
  const stride = <f64>strideOf(d + 1);
  return 4.0 * (<f64>parts * singleFormEntries(d, intercept) + <f64>BLOCK * (stride + 1.0));
}

/** Writes forms and means of all entries. */
export function singleForms(job: SingleForms): void {
  const data = job.data, entries = job.entries, parts = entries.parts, count = entries.count;
  const length = <i32>singleFormEntries(data.d, job.intercept);
  const rows = single(job.work, parts * length), stride = strideOf(job.intercept ? data.d + 1 : data.d);
  // What is beyond a row's last entry stays zero.
  memory.fill(rows, 0, (<usize>(BLOCK * stride)) << 2);
  for (let e = 0; e < count; ) {
    const owner = load<u32>(single(entries.owners, e)), eta = load<f64>(at(job.steps, e));
    const folds = foldsOf(rowCount(data, owner), parts);
    const mean = job.intercept ? meanTarget(data, owner) : 0.0;
    for (let part = 0; part < folds; part++) {
      addPart(job, owner, part, Math.sqrt(eta), mean, single(job.work, part * length), rows);
    }
    for (; e < count && load<u32>(single(entries.owners, e)) == owner; e++) {
      const own = load<f64>(at(job.steps, e));
      const factor = eta > 0.0 ? load<f64>(at(entries.scales, e)) * (own / eta) : 0.0;
      const form = single(job.forms, e * length);
      sumOfOthers(job.work, length, folds, load<i32>(single(entries.folds, e)), <f32>factor, form);
      addDiagonal(<f32>(own * job.strongConvexity), form, data.d, job.intercept);
      store<f64>(at(job.means, e), mean);
    }
  }
}

/** Of all rows of a task, by their weights. */
function meanTarget(data: TaskData, i: i32): f64 {
  let sum = 0.0, mass = 0.0;
  for (let row = firstRow(data, i), end = firstRow(data, i + 1); row < end; row++) {
    const s = data.weights ? load<f64>(weightsAt(data, row)) : 1.0;
    sum += s * load<f64>(targetAt(data, row));
    mass += s;
  }
  return mass > 0.0 ? sum / mass : 0.0;
}

/** form <- that of the rows that a fold holds out, with c = 1. @param rows room for a block of rows and targets. */
function addPart(
  job: SingleForms, owner: i32, part: i32, root: f64, mean: f64, form: usize, rows: usize,
): void {
  const data = job.data, d = data.d, n = job.intercept ? d + 1 : d, stride = strideOf(n);
  const parts = job.entries.parts, first = firstRow(data, owner) + part;
  const targets = single(rows, BLOCK * stride), held = heldOut(rowCount(data, owner), part, parts);
  for (let from = 0; from < held; from += BLOCK) {
    const count = min(BLOCK, held - from);
    for (let j = 0; j < count; j++) {
      const row = first + (from + j) * parts, to = single(rows, j * stride);
      const own = data.weights ? root * Math.sqrt(load<f64>(weightsAt(data, row))) : root;
      narrow(rowsAt(data, row, 1), own, to, d);
      if (job.intercept) store<f32>(single(to, d), <f32>own);
      store<f32>(single(targets, j), <f32>(own * job.scale * (load<f64>(targetAt(data, row)) - mean)));
    }
    const first = from == 0;
    let i = 0;
    if (ASC_FEATURE_SIMD && stride >= 16) {
      for (; i + 2 <= n; i += 2) takeTwo(single(rows, i), rows, single(form, i * stride), count, stride, first);
    }
    for (; i < n; i++) {
      takeCombined(single(rows, i), stride, rows, single(form, i * stride), count, stride, first);
    }
    takeCombined(targets, 1, rows, single(form, n * stride), count, stride, first);
  }
}

/** out f32[stride] <- sum_k a[k step] row k, rows f32[count, stride], or += it if not the first: each sum in the order of the rows. */
function takeCombined(
  a: usize, step: i32, rows: usize, out: usize, count: i32, stride: i32, first: bool,
): void {
  let j = 0;
  if (ASC_FEATURE_SIMD) {
    for (; j < stride; j += 8) takeEight(a, step, single(rows, j), single(out, j), count, stride, first);
    return;
  }
  for (; j < stride; j++) {
    let sum: f32 = 0;
    for (let k = 0; k < count; k++) sum += load<f32>(single(a, k * step)) * load<f32>(single(rows, k * stride + j));
    store<f32>(single(out, j), first ? sum : load<f32>(single(out, j)) + sum);
  }
}

/** The same of entries a and a + 1 of every row, out and the row below it, of at least 16 columns: the last may be taken twice. */
function takeTwo(a: usize, rows: usize, out: usize, count: i32, stride: i32, first: bool): void {
  // What is added to cannot be taken twice.
  const wide = first ? stride : stride & ~15;
  for (let j = 0; j < wide; j += 16) {
    const from = min(j, stride - 16);
    sixteenOfTwo(a, single(rows, from), single(out, from), count, stride, first);
  }
  if (wide == stride || (stride & 8) == 0) return;
  takeEight(a, stride, single(rows, wide), single(out, wide), count, stride, first);
  takeEight(a + 4, stride, single(rows, wide), single(out, stride + wide), count, stride, first);
}

function sixteenOfTwo(a: usize, row: usize, out: usize, count: i32, stride: i32, first: bool): void {
  const next = (<usize>stride) << 2;
  let s0 = f32x4.splat(0), s1 = s0, s2 = s0, s3 = s0, t0 = s0, t1 = s0, t2 = s0, t3 = s0;
  for (const end = row + <usize>count * next; row < end; row += next, a += next) {
    const v = v128.load32_splat(a), w = v128.load32_splat(a, 4);
    let x = v128.load(row);
    s0 = f32x4.add(s0, f32x4.mul(v, x));
    t0 = f32x4.add(t0, f32x4.mul(w, x));
    x = v128.load(row, 16);
    s1 = f32x4.add(s1, f32x4.mul(v, x));
    t1 = f32x4.add(t1, f32x4.mul(w, x));
    x = v128.load(row, 32);
    s2 = f32x4.add(s2, f32x4.mul(v, x));
    t2 = f32x4.add(t2, f32x4.mul(w, x));
    x = v128.load(row, 48);
    s3 = f32x4.add(s3, f32x4.mul(v, x));
    t3 = f32x4.add(t3, f32x4.mul(w, x));
  }
  const below = out + next;
  put(out, s0, first);
  put(out + 16, s1, first);
  put(out + 32, s2, first);
  put(out + 48, s3, first);
  put(below, t0, first);
  put(below + 16, t1, first);
  put(below + 32, t2, first);
  put(below + 48, t3, first);
}

@inline function takeEight(
  a: usize, step: i32, row: usize, out: usize, count: i32, stride: i32, first: bool,
): void {
  let s0 = f32x4.splat(0), s1 = s0;
  const next = (<usize>stride) << 2, on = (<usize>step) << 2;
  for (const end = row + <usize>count * next; row < end; row += next, a += on) {
    const v = v128.load32_splat(a);
    s0 = f32x4.add(s0, f32x4.mul(v, v128.load(row)));
    s1 = f32x4.add(s1, f32x4.mul(v, v128.load(row, 16)));
  }
  put(out, s0, first);
  put(out + 16, s1, first);
}

@inline function put(out: usize, x: v128, first: bool): void {
  v128.store(out, first ? x : f32x4.add(v128.load(out), x));
}

/** out f32[length] <- factor times the sum of all of `count` blocks but one, by twos where there are four. */
function sumOfOthers(blocks: usize, length: i32, count: i32, but: i32, factor: f32, out: usize): void {
  const bytes = (<usize>length) << 2, end = out + bytes;
  if (count != 5) {
    for (let place: usize = 0; place < bytes; place += 4) {
      let sum = load<f32>(other(blocks, bytes, but, 0) + place);
      for (let k = 1; k < count - 1; k++) sum += load<f32>(other(blocks, bytes, but, k) + place);
      store<f32>(out + place, factor * sum);
    }
    return;
  }
  let a = other(blocks, bytes, but, 0);
  let b = other(blocks, bytes, but, 1), c = other(blocks, bytes, but, 2), e = other(blocks, bytes, but, 3);
  if (ASC_FEATURE_SIMD) {
    const factors = f32x4.splat(factor);
    // Rows are of a multiple of eight numbers.
    for (; out < end; out += 32) {
      const left = f32x4.add(v128.load(a), v128.load(b)), right = f32x4.add(v128.load(c), v128.load(e));
      v128.store(out, f32x4.mul(factors, f32x4.add(left, right)));
      const nextLeft = f32x4.add(v128.load(a, 16), v128.load(b, 16));
      const nextRight = f32x4.add(v128.load(c, 16), v128.load(e, 16));
      v128.store(out, f32x4.mul(factors, f32x4.add(nextLeft, nextRight)), 16);
      a += 32;
      b += 32;
      c += 32;
      e += 32;
    }
    return;
  }
  for (; out < end; out += 4) {
    store<f32>(out, factor * (load<f32>(a) + load<f32>(b) + (load<f32>(c) + load<f32>(e))));
    a += 4;
    b += 4;
    c += 4;
    e += 4;
  }
}

/** Where the k-th block lies of all but one. */
@inline function other(blocks: usize, bytes: usize, but: i32, k: i32): usize {
  return blocks + <usize>(k < but ? k : k + 1) * bytes;
}

function addDiagonal(value: f32, form: usize, d: i32, intercept: i32): void {
  if (value == 0) return;
  const stride = strideOf(intercept ? d + 1 : d);
  for (let j = 0; j < d; j++) {
    const place = single(form, j * stride + j);
    store<f32>(place, load<f32>(place) + value);
  }
}
