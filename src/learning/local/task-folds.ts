/**
 * Tasks without a fold of their own rows: many at a time, laid out as tasks of their own.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { Pointer } from "../../core/index.js";
import { TaskSet } from "../../data/index.js";
import type { ResidentTasks } from "../resident-tasks.js";
import type { LocalModels } from "./ridge.js";

/** Parts of every task's rows; row j is held out in fold j mod FOLDS, a task's only row never. */
export const FOLDS = 5;

/** Some tasks without a fold of their rows. Entry k is task `owners[k]` without fold `folds[k]`. */
export interface FoldBatch {
  /** How many entries the batches before it had. */
  readonly first: number;
  readonly owners: Uint32Array;
  readonly folds: Uint32Array;
  /** The rows that are left, as a set of owners.length tasks. */
  readonly data: TaskSet;
}

/** Entries of all m tasks in order, or a part of them. */
type Entries = Pick<FoldBatch, "owners" | "folds">;

/**
 * All tasks without each of their folds, in batches of at most about `bytes` of features, or one
 * entry where that is more. Every row is held out once, a task's only row never.
 */
export function* foldBatches(data: TaskSet, bytes: number): Generator<FoldBatch, void> {
  const { offsets, m, d } = data;
  let owners: number[] = [];
  let folds: number[] = [];
  let filled = 0;
  let first = 0;
  for (let task = 0; task < m; task++) {
    const n = offsets[task + 1]! - offsets[task]!;
    for (let fold = 0; fold < Math.min(FOLDS, n) && n > 1; fold++) {
      const size = 8 * d * (n - heldOut(n, fold));
      if (filled > 0 && filled + size > bytes) {
        yield batchOf(data, first, owners, folds);
        first += owners.length;
        [owners, folds, filled] = [[], [], 0];
      }
      owners.push(task);
      folds.push(fold);
      filled += size;
    }
  }
  if (filled > 0) yield batchOf(data, first, owners, folds);
}

/** Rows of n that a fold holds out. */
function heldOut(n: number, fold: number): number {
  return Math.ceil((n - fold) / FOLDS);
}

function batchOf(
  data: TaskSet,
  first: number,
  owners: readonly number[],
  folds: readonly number[],
): FoldBatch {
  const { d } = data;
  const entries = { owners: Uint32Array.from(owners), folds: Uint32Array.from(folds) };
  const offsets = new Uint32Array(owners.length + 1);
  owners.forEach((task, k) => {
    const n = data.offsets[task + 1]! - data.offsets[task]!;
    offsets[k + 1] = offsets[k]! + n - heldOut(n, folds[k]!);
  });
  const rows = offsets[owners.length]!;
  const x = new Float64Array(rows * d);
  const y = new Float64Array(rows);
  let at = 0;
  owners.forEach((task, k) => {
    const end = data.offsets[task + 1]!;
    // Runs of rows between two held out.
    let from = data.offsets[task]!;
    for (let held = from + folds[k]!; from < end; held += FOLDS) {
      const to = Math.min(held, end);
      x.set(data.x.subarray(from * d, to * d), at * d);
      y.set(data.y.subarray(from, to), at);
      at += to - from;
      from = to + 1;
    }
  });
  const names = owners.map((_, k) => String(k));
  const { featureNames, targetName, targetLevels } = data;
  return {
    first,
    ...entries,
    data: TaskSet.adopt({ x, y, offsets, names, featureNames, targetName, targetLevels }),
  };
}

/** Every owner's model, of models W[m, d] and b[m]. */
export function modelsOfOwners(
  { weights, intercepts }: LocalModels,
  owners: Uint32Array,
): LocalModels {
  const d = weights.length / intercepts.length;
  const rows = new Float64Array(owners.length * d);
  owners.forEach((task, k) => rows.set(weights.subarray(task * d, (task + 1) * d), k * d));
  return { weights: rows, intercepts: Float64Array.from(owners, (task) => intercepts[task]!) };
}

/** The rows that a batch holds out of tasks with these offsets, entry by entry, and where each entry's end. */
function rowsHeldOut(starts: Uint32Array, { owners, folds }: Entries) {
  const rows: number[] = [];
  const offsets = [0];
  owners.forEach((task, k) => {
    for (let row = starts[task]! + folds[k]!; row < starts[task + 1]!; row += FOLDS) rows.push(row);
    offsets.push(rows.length);
  });
  return { rows: Uint32Array.from(rows), offsets: Uint32Array.from(offsets) };
}

/** The rows that a batch holds out, as a set of its entries, and their numbers among all rows. */
export function heldOutOf(
  data: TaskSet,
  batch: FoldBatch,
): { readonly data: TaskSet; readonly rows: Uint32Array } {
  const { d } = data;
  const { rows, offsets } = rowsHeldOut(Uint32Array.from(data.offsets), batch);
  const x = new Float64Array(rows.length * d);
  rows.forEach((row, j) => x.set(data.x.subarray(row * d, (row + 1) * d), j * d));
  const y = Float64Array.from(rows, (row) => data.y[row]!);
  const { names, featureNames, targetName, targetLevels } = batch.data;
  return {
    rows,
    data: TaskSet.adopt({ x, y, offsets, names, featureNames, targetName, targetLevels }),
  };
}

/** The rows that a batch holds out, placed in the core of their tasks. */
export class HeldOutRows {
  readonly #tasks: ResidentTasks;
  readonly #x: Pointer;
  readonly #offsets: Pointer;
  readonly #predictions: Pointer;
  readonly #count: number;
  /** Their numbers among the rows of all tasks. */
  readonly rows: Uint32Array;

  constructor(tasks: ResidentTasks, entries: Entries) {
    const { core, d, m } = tasks;
    const { arena } = core;
    const { rows, offsets } = rowsHeldOut(arena.words(tasks.offsets, m + 1).slice(), entries);
    this.#tasks = tasks;
    this.#count = entries.owners.length;
    this.rows = rows;
    this.#x = arena.f64(rows.length * d, "held-out rows");
    this.#predictions = arena.f64(rows.length);
    this.#offsets = arena.bytes(4 * offsets.length);
    arena.words(this.#offsets, offsets.length).set(offsets);
    const given = arena.view(tasks.x, tasks.rows * d);
    const into = arena.view(this.#x, rows.length * d);
    rows.forEach((row, j) => into.set(given.subarray(row * d, (row + 1) * d), j * d));
  }

  /**
   * into[row] <- squared error, or log-loss of a label in {-1, +1}, of each of the rows under its entry's
   * model.
   */
  judge(weights: Pointer, intercepts: Pointer, into: Float64Array): void {
    const { core, y, rows: count, loss, d } = this.#tasks;
    const { kernels, arena } = core;
    const out = this.#predictions;
    kernels.taskPredict(this.#x, this.#offsets, weights, intercepts, out, this.#count, d);
    const predictions = arena.view(out, this.rows.length);
    const targets = arena.view(y, count);
    this.rows.forEach((row, k) => {
      const target = targets[row]!;
      if (loss === "squared") {
        into[row] = (predictions[k]! - target) ** 2;
      } else {
        const z = -target * predictions[k]!;
        into[row] = z > 0 ? z + math.log1p(math.exp(-z)) : math.log1p(math.exp(z));
      }
    });
  }
}
