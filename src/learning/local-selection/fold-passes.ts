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
  /** Of the losses of all entries that have passed but the last. */
  readonly known: PartlyKnown;
}

/** Who goes through the rounds next, and whose tasks are asked then. */
interface Pass {
  readonly entries: readonly number[];
  readonly open: readonly OpenTask[];
}

/** Entries of a batch that go through the rounds together, one pass after the other; a task's are asked for until it falls back for certain. */
export function* foldPasses(
  batch: FoldBatch,
  options: PassesOptions,
): Generator<Uint32Array, void> {
  // The loops are functions of their own, which engines compile: this one is interrupted again and again.
  for (
    let pass = firstPass(batch, options);
    pass.entries.length > 0;
    pass = nextPass(batch, options, pass)
  ) {
    yield new Uint32Array(pass.entries);
  }
}

function firstPass(batch: FoldBatch, options: PassesOptions): Pass {
  const { owners, parts } = batch;
  const open: OpenTask[] = [];
  const pass: number[] = [];
  for (let from = 0, to = 0; from < owners.length; from = to) {
    const task = owners[from]!;
    while (to < owners.length && owners[to] === task) to++;
    const n = options.offsets[task + 1]! - options.offsets[task]!;
    // Of a task whose folds are in several batches no batch knows all losses of its own model.
    if (to - from < Math.min(n, parts)) {
      for (let entry = from; entry < to; entry++) pass.push(entry);
      continue;
    }
    const known = nothingKnown(n);
    const entries = hardestFirst(batch, options, { task, from, to }, known);
    pass.push(entries[0]!);
    if (to - from > 1) open.push({ task, entries, passed: 1, known });
  }
  return { entries: pass, open };
}

function nextPass(batch: FoldBatch, options: PassesOptions, { open }: Pass): Pass {
  const left: OpenTask[] = [];
  const pass: number[] = [];
  for (const of of open) {
    readPassed(batch, options, of);
    if (surelyFallsBack(of.known, options.errors)) continue;
    pass.push(of.entries[of.passed++]!);
    if (of.passed < of.entries.length) left.push(of);
  }
  return { entries: pass, open: left };
}

/** Its entries by the mean loss of the model that has seen their rows, the largest first; and sums of its own model's losses. */
function hardestFirst(
  { folds, parts }: FoldBatch,
  { offsets, fitted, singleTask }: PassesOptions,
  { task, from, to }: { readonly task: number; readonly from: number; readonly to: number },
  known: PartlyKnown,
): Uint32Array {
  const entries = new Uint32Array(to - from);
  const means = new Float64Array(to - from);
  const end = offsets[task + 1]!;
  for (let entry = from; entry < to; entry++) {
    let sum = 0;
    let rows = 0;
    for (let row = offsets[task]! + folds[entry]!; row < end; row += parts) {
      const loss = singleTask[row]!;
      known.own += loss;
      known.ownSquares += loss * loss;
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

/** Adds the losses of the entry that has passed last. */
function readPassed(
  { folds, parts }: FoldBatch,
  { offsets, singleTask, shared }: PassesOptions,
  { task, entries, passed, known }: OpenTask,
): void {
  const end = offsets[task + 1]!;
  for (let row = offsets[task]! + folds[entries[passed - 1]!]!; row < end; row += parts) {
    const loss = shared[row]!;
    known.sum += loss;
    known.squares += loss * loss;
    known.products += loss * singleTask[row]!;
  }
}
