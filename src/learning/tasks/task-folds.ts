/**
 * Tasks without a fold of their own rows: many at a time, laid out as tasks of their own.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import { TaskSet } from "../../data/index.js";
import { marginError } from "./margin-losses.js";
import type { ResidentTasks } from "./resident-tasks.js";
import type { LocalModels } from "./ridge.js";

/** Parts of every task's rows; row j is held out in fold j mod FOLDS, a task's only row never. */
export const FOLDS = 5;

/** Some tasks without a fold of their rows. Entry k is task `owners[k]` without fold `folds[k]`. */
export class FoldBatch {
  /** How many entries the batches before it had. */
  readonly first: number;
  readonly owners: Uint32Array;
  readonly folds: Uint32Array;
  readonly #all: TaskSet;
  #data: TaskSet | undefined;

  constructor(all: TaskSet, first: number, owners: readonly number[], folds: readonly number[]) {
    this.first = first;
    this.owners = Uint32Array.from(owners);
    this.folds = Uint32Array.from(folds);
    this.#all = all;
  }

  /** The rows that are left, as a set of owners.length tasks; copied when first asked for. */
  get data(): TaskSet {
    return (this.#data ??= rowsLeft(this.#all, this));
  }
}

/** Entries of all m tasks in order, or a part of them. */
export type Entries = Pick<FoldBatch, "owners" | "folds">;

/** How large a batch may be. */
export interface BatchSize {
  readonly bytes: number;
  /** Bytes of an entry that `rows` rows are left of; default those of their features. */
  readonly entryBytes?: ((rows: number) => number) | undefined;
}

/**
 * All tasks without each of their folds, in batches of at most about `bytes`, or one entry where that is
 * more; the entries of a task in one batch if they fit. Every row is held out once, a task's only row never.
 */
export function* foldBatches(
  data: TaskSet,
  { bytes, entryBytes = (rows) => 8 * data.d * rows }: BatchSize,
): Generator<FoldBatch, void> {
  let owners: number[] = [];
  let folds: number[] = [];
  let [filled, first] = [0, 0];
  const filledUp = () => {
    const batch = new FoldBatch(data, first, owners, folds);
    first += owners.length;
    [owners, folds, filled] = [[], [], 0];
    return batch;
  };
  for (const [task, n] of data.taskSizes.entries()) {
    const count = n > 1 ? Math.min(FOLDS, n) : 0;
    const sizes = Array.from({ length: count }, (_, fold) => entryBytes(n - heldOut(n, fold)));
    const whole = sizes.reduce((sum, size) => sum + size, 0);
    if (filled > 0 && whole <= bytes && filled + whole > bytes) yield filledUp();
    for (const [fold, size] of sizes.entries()) {
      if (filled > 0 && filled + size > bytes) yield filledUp();
      owners.push(task);
      folds.push(fold);
      filled += size;
    }
  }
  if (filled > 0) yield filledUp();
}

/** Rows of n that a fold holds out. */
function heldOut(n: number, fold: number): number {
  return Math.ceil((n - fold) / FOLDS);
}

/** Rows that are left of each entry's task. */
export function countsLeft(starts: ArrayLike<number>, { owners, folds }: Entries): Uint32Array {
  return owners.map((task, k) => {
    const n = starts[task + 1]! - starts[task]!;
    return n - heldOut(n, folds[k]!);
  });
}

function rowsLeft(data: TaskSet, entries: Entries): TaskSet {
  const { d } = data;
  const { owners, folds } = entries;
  const offsets = new Uint32Array(owners.length + 1);
  countsLeft(data.offsets, entries).forEach((n, k) => (offsets[k + 1] = offsets[k]! + n));
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
  const names = Array.from(owners, (_, k) => String(k));
  const { featureNames, targetName, targetLevels, encoding } = data;
  return TaskSet.adopt({ x, y, offsets, names, featureNames, targetName, targetLevels, encoding });
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
    const end = starts[task + 1]!;
    for (let row = starts[task]! + folds[k]!; row < end; row += FOLDS) rows.push(row);
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
  const { names, featureNames, targetName, targetLevels, encoding } = batch.data;
  const layout = { offsets, names, featureNames, targetName, targetLevels, encoding };
  return { rows, data: TaskSet.adopt({ x, y, ...layout }) };
}

/** A batch's entries where the kernels look for them: owners and folds, u32[count] each. */
export function placeEntries({ arena }: Core, { owners, folds }: Entries) {
  const at = arena.bytes(8 * owners.length);
  arena.words(at, owners.length).set(owners);
  arena.words(at + 4 * owners.length, owners.length).set(folds);
  return { owners: at, folds: at + 4 * owners.length };
}

/** The rows that a batch holds out, read where their tasks lie. */
export class HeldOutRows {
  readonly #tasks: ResidentTasks;
  readonly #entries: ReturnType<typeof placeEntries>;
  readonly #predictions: Pointer;
  readonly #count: number;
  /** Their numbers among the rows of all tasks. */
  readonly rows: Uint32Array;

  constructor(tasks: ResidentTasks, entries: Entries) {
    const { core, m } = tasks;
    const { arena } = core;
    this.#tasks = tasks;
    this.#count = entries.owners.length;
    this.#entries = placeEntries(core, entries);
    this.rows = rowsHeldOut(arena.words(tasks.offsets, m + 1), entries).rows;
    this.#predictions = arena.f64(this.rows.length);
  }

  /**
   * into[row] <- squared error, or log-loss of a label in {-1, +1}, of each of the rows under its entry's
   * model.
   */
  judge(weights: Pointer, intercepts: Pointer, into: Float64Array): void {
    const { core, x, y, offsets, rows: count, loss, d } = this.#tasks;
    const { kernels, arena } = core;
    const out = this.#predictions;
    const { owners, folds } = this.#entries;
    kernels.foldPredictions(
      x,
      offsets,
      owners,
      folds,
      FOLDS,
      weights,
      intercepts,
      out,
      this.#count,
      d,
    );
    const predictions = arena.view(out, this.rows.length);
    const targets = arena.view(y, count);
    for (let k = 0; k < predictions.length; k++) {
      const row = this.rows[k]!;
      into[row] = marginError(loss, predictions[k]!, targets[row]!);
    }
  }
}
