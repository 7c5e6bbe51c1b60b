/**
 * In which order the folds of tasks go through the rounds, where those of a task that falls back for certain need not.
 *
 * The folds on whose rows the task's shared model loses most come first: it has seen these rows, and models that have not are likely to lose
 * most there, too.
 * @module
 */
import { nothingKnown, surelyFallsBack, type PartlyKnown } from "./early-fallback.js";
import type { FoldBatch } from "./folds.js";

/** Losses of all rows, and the test. */
export interface PassesOptions {
  /** Row offsets of all tasks, [m + 1]. */
  readonly offsets: ArrayLike<number>;
  /** Of the single-task models, held out, [N]. */
  readonly singleTask: Float64Array;
  /** Of the shared models, held out, [N]: those of entries that have passed. */
  readonly shared: Float64Array;
  /** Of the shared models of all rows, on the rows that they have seen, [N]. */
  readonly fitted: Float64Array;
  /** Standard errors of the test by ratios. */
  readonly errors: number;
}

/** A task that may have folds left. */
interface OpenTask {
  readonly task: number;
  /** Its entries, in the order of their passes, and how many have passed. */
  readonly entries: Uint32Array;
  passed: number;
  /** Of the losses of all entries that have passed but the last `unread`. */
  readonly known: PartlyKnown;
  unread: number;
}

/** Entries of a batch that go through the rounds together, one pass after the other; a task's are asked for until it falls back for certain. */
export function* foldPasses(
  batch: FoldBatch,
  options: PassesOptions,
): Generator<Uint32Array, void> {
  const { owners, parts } = batch;
  let open: OpenTask[] = [];
  let pass: number[] = [];
  for (let from = 0, to = 0; from < owners.length; from = to) {
    const task = owners[from]!;
    while (to < owners.length && owners[to] === task) to++;
    const n = options.offsets[task + 1]! - options.offsets[task]!;
    // Of a task whose folds are in several batches no batch knows all losses of its own model.
    if (to - from < Math.min(n, parts)) {
      for (let entry = from; entry < to; entry++) pass.push(entry);
      continue;
    }
    const entries = hardestFirst(batch, options, { task, from, to });
    const known = nothingKnown(n);
    for (let row = options.offsets[task]!; row < options.offsets[task + 1]!; row++) {
      const loss = options.singleTask[row]!;
      known.own += loss;
      known.ownSquares += loss * loss;
    }
    pass.push(entries[0]!);
    if (to - from > 1) open.push({ task, entries, passed: 1, known, unread: 1 });
  }
  while (pass.length > 0) {
    yield Uint32Array.from(pass);
    pass = [];
    const left: OpenTask[] = [];
    for (const of of open) {
      readPassed(batch, options, of);
      if (surelyFallsBack(of.known, options.errors)) continue;
      pass.push(of.entries[of.passed++]!);
      of.unread = 1;
      if (of.passed < of.entries.length) left.push(of);
    }
    open = left;
  }
}

/** Its entries by the mean loss of the model that has seen their rows, the largest first. */
function hardestFirst(
  { folds, parts }: FoldBatch,
  { offsets, fitted }: PassesOptions,
  { task, from, to }: { readonly task: number; readonly from: number; readonly to: number },
): Uint32Array {
  const entries = new Uint32Array(to - from);
  const means = new Float64Array(to - from);
  for (let entry = from; entry < to; entry++) {
    let [sum, rows] = [0, 0];
    for (let row = offsets[task]! + folds[entry]!; row < offsets[task + 1]!; row += parts) {
      sum += fitted[row]!;
      rows++;
    }
    const mean = sum / rows;
    // Sorted as they come.
    let at = entry - from;
    for (; at > 0 && means[at - 1]! < mean; at--) {
      means[at] = means[at - 1]!;
      entries[at] = entries[at - 1]!;
    }
    means[at] = mean;
    entries[at] = entry;
  }
  return entries;
}

/** Adds the losses of entries that have passed since they were last read. */
function readPassed(
  { folds, parts }: FoldBatch,
  { offsets, singleTask, shared }: PassesOptions,
  { task, entries, passed, unread, known }: OpenTask,
): void {
  for (let k = passed - unread; k < passed; k++) {
    const entry = entries[k]!;
    for (let row = offsets[task]! + folds[entry]!; row < offsets[task + 1]!; row += parts) {
      const loss = shared[row]!;
      known.sum += loss;
      known.squares += loss * loss;
      known.products += loss * singleTask[row]!;
    }
  }
}
