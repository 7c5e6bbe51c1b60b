/**
 * Tasks without a fold of their own rows: many at a time, laid out as tasks of their own.
 * @module
 */
import type { Core } from "../../core/index.js";
import { takeRows, TaskSet } from "../../data/index.js";
import { heldOutCount, rowsLeft, type FoldEntries } from "../tasks/fold-entries.js";
import { FOLDS } from "./thresholds.js";
import type { LocalModels } from "../tasks/local-models.js";

/** Features of a batch's rows: what stays in a second-level cache beside the models. */
const BATCH_BYTES = 2 ** 20;

/** Some tasks without a fold of their rows, a task for every entry. */
export class FoldBatch implements FoldEntries {
  readonly parts = FOLDS;
  /** How many entries the batches before it had. */
  readonly first: number;
  readonly owners: Uint32Array;
  readonly folds: Uint32Array;
  readonly #all: TaskSet;
  #data: TaskSet | undefined;

  constructor(all: TaskSet, first: number, owners: Uint32Array, folds: Uint32Array) {
    this.first = first;
    this.owners = owners;
    this.folds = folds;
    this.#all = all;
  }

  /** Some of the entries. */
  some(entries: Uint32Array): FoldEntries {
    const { parts } = this;
    const owners = new Uint32Array(entries.length);
    const folds = new Uint32Array(entries.length);
    for (let k = 0; k < entries.length; k++) {
      owners[k] = this.owners[entries[k]!]!;
      folds[k] = this.folds[entries[k]!]!;
    }
    return { parts, owners, folds };
  }

  /** The rows that are left, as a set of owners.length tasks; copied when first asked for. */
  get data(): TaskSet {
    return (this.#data ??= withoutFolds(this.#all, this));
  }
}

/** How large a batch may be. */
export interface BatchSize {
  /** Bytes that a batch's entries may read, at least one entry; default what a cache holds. */
  readonly bytes?: number | undefined;
  /** Bytes of an entry that `rows` rows are left of; default those of their features, of sparse rows those of models. */
  readonly entryBytes?: ((rows: number) => number) | undefined;
}

/**
 * All tasks without each of their folds, in batches; the entries of a task in one batch if they fit. Every
 * row is held out once, a task's only row never.
 */
export function* foldBatches(
  data: TaskSet,
  { bytes = BATCH_BYTES, entryBytes = bytesOf(data) }: BatchSize = {},
): Generator<FoldBatch, void> {
  const { m, offsets } = data;
  const most = Math.min(FOLDS * m, data.size);
  const [owners, folds] = [new Uint32Array(most), new Uint32Array(most)];
  let [filled, first, end] = [0, 0, 0];
  const filledUp = () => {
    const batch = new FoldBatch(
      data,
      first,
      owners.subarray(first, end),
      folds.subarray(first, end),
    );
    [first, filled] = [end, 0];
    return batch;
  };
  for (let task = 0; task < m; task++) {
    const n = offsets[task + 1]! - offsets[task]!;
    const count = n > 1 ? Math.min(FOLDS, n) : 0;
    const sizeOf = (fold: number) => entryBytes(n - heldOutCount(n, fold, FOLDS));
    let whole = 0;
    for (let fold = 0; fold < count; fold++) whole += sizeOf(fold);
    if (filled > 0 && whole <= bytes && filled + whole > bytes) yield filledUp();
    for (let fold = 0; fold < count; fold++) {
      const size = sizeOf(fold);
      if (filled > 0 && filled + size > bytes) yield filledUp();
      owners[end] = task;
      folds[end++] = fold;
      filled += size;
    }
  }
  if (filled > 0) yield filledUp();
}

/** Of dense rows their features; sparse ones are less than the models, of which steps and copies hold some sixteen. */
function bytesOf({ d, sparse }: TaskSet): (rows: number) => number {
  return sparse ? () => 128 * d : (rows) => 8 * d * rows;
}

/** Bytes of a batch that goes through rounds: a long broadcast is read by enough tasks at once to be worth its way from memory. */
export function replayBytes(broadcastLength: number): number {
  return Math.max(BATCH_BYTES, 32 * broadcastLength);
}

/**
 * The one loop over folds: what a batch puts into the core is gone when the next one comes.
 */
export function* inBatches(
  { arena }: Core,
  data: TaskSet,
  size?: BatchSize,
): Generator<FoldBatch, void> {
  for (const batch of foldBatches(data, size)) {
    const mark = arena.mark();
    yield batch;
    arena.release(mark);
  }
}

function withoutFolds(data: TaskSet, entries: FoldEntries): TaskSet {
  const { parts, owners, folds } = entries;
  const offsets = new Uint32Array(owners.length + 1);
  rowsLeft(data.offsets, entries).forEach((n, k) => (offsets[k + 1] = offsets[k]! + n));
  const rows = new Uint32Array(offsets[owners.length]!);
  let at = 0;
  owners.forEach((task, k) => {
    const first = data.offsets[task]!;
    const n = data.offsets[task + 1]! - first;
    for (let row = 0; row < n; row++) if (row % parts !== folds[k]) rows[at++] = first + row;
  });
  const names = Array.from(owners, (_, k) => String(k));
  const all = data.arrays();
  return TaskSet.adopt({ ...all, ...takeRows({ ...all, d: data.d }, rows), offsets, names });
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
