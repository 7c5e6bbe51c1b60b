/**
 * The rows that a batch of folds holds out, and what models lose on them.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import { takeRows, TaskSet } from "../../data/index.js";
import { heldOutCount, placeEntries, type FoldEntries } from "../tasks/fold-entries.js";
import { marginError } from "../tasks/margin-losses.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import type { FoldBatch } from "./folds.js";

/** The rows of tasks with these offsets that are held out, entry by entry, and where each entry's end. */
function rowsHeldOut(starts: ArrayLike<number>, { parts, owners, folds }: FoldEntries) {
  const offsets = new Uint32Array(owners.length + 1);
  for (let k = 0; k < owners.length; k++) {
    const n = starts[owners[k]! + 1]! - starts[owners[k]!]!;
    offsets[k + 1] = offsets[k]! + heldOutCount(n, folds[k]!, parts);
  }
  const rows = new Uint32Array(offsets[owners.length]!);
  for (let k = 0; k < owners.length; k++) {
    let row = starts[owners[k]!]! + folds[k]!;
    for (let at = offsets[k]!; at < offsets[k + 1]!; at++, row += parts) rows[at] = row;
  }
  return { rows, offsets };
}

/** The numbers, among all rows, of those that a batch holds out, and a set of its entries with these rows, copied when asked for. */
export function heldOutOf(
  data: TaskSet,
  batch: FoldBatch,
): { readonly data: () => TaskSet; readonly rows: Uint32Array } {
  const { rows, offsets } = rowsHeldOut(data.offsets, batch);
  const copied = () => {
    const all = data.arrays();
    const { names } = batch.data;
    return TaskSet.adopt({ ...all, ...takeRows({ ...all, d: data.d }, rows), offsets, names });
  };
  return { rows, data: copied };
}

/** Losses as `HeldOutRows` has them, of all rows under their own task's model, which may have seen them: W[m, d] and b[m] or 0, in the core. */
export function fittedLosses(
  tasks: ResidentTasks,
  { weights, intercepts }: { readonly weights: Pointer; readonly intercepts: Pointer },
): Float64Array {
  const { core, y, rows: count, loss } = tasks;
  const { arena } = core;
  const mark = arena.mark();
  const at = arena.f64(count);
  tasks.predict(weights, intercepts, at);
  const losses = arena.view(at, count).slice();
  arena.release(mark);
  const targets = arena.view(y, count);
  const own = tasks.sampleWeights();
  for (let row = 0; row < count; row++) {
    losses[row] = (own?.[row] ?? 1) * marginError(loss, losses[row]!, targets[row]!);
  }
  return losses;
}

/** The same rows, read where their tasks lie: for linear models with one output. */
export class HeldOutRows {
  readonly #tasks: ResidentTasks;
  /** The kernels' record of the entries. */
  readonly #entries: Pointer;
  readonly #predictions: Pointer;
  readonly #rows: Uint32Array;
  readonly #weights: Float64Array | undefined;

  constructor(tasks: ResidentTasks, entries: FoldEntries) {
    const { core, m } = tasks;
    const { arena } = core;
    this.#tasks = tasks;
    this.#weights = tasks.sampleWeights();
    this.#entries = placeEntries(core, entries);
    this.#rows = rowsHeldOut(arena.words(tasks.offsets, m + 1), entries).rows;
    this.#predictions = arena.f64(this.#rows.length);
  }

  /**
   * into[row] <- squared error, or log-loss of a label in {-1, +1}, times its weight, of each of the rows under its
   * entry's model: W[count, d] and b[count] or 0, in the core.
   */
  score(
    { weights, intercepts }: { readonly weights: Pointer; readonly intercepts: Pointer },
    into: Float64Array,
  ): void {
    const { core, at, y, rows: count, loss } = this.#tasks;
    const { kernels, arena } = core;
    const out = this.#predictions;
    kernels.foldPredictions(at, this.#entries, weights, intercepts, out);
    const predictions = arena.view(out, this.#rows.length);
    const targets = arena.view(y, count);
    const own = this.#weights;
    const rows = this.#rows;
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k]!;
      into[row] = (own?.[row] ?? 1) * marginError(loss, predictions[k]!, targets[row]!);
    }
  }
}
