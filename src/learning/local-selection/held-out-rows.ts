/**
 * The rows that a batch of folds holds out, and what models lose on them.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import { TaskSet } from "../../data/index.js";
import { placeEntries, type FoldEntries } from "../tasks/fold-entries.js";
import { marginError } from "../tasks/margin-losses.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import type { FoldBatch } from "./folds.js";

/** The rows of tasks with these offsets that are held out, entry by entry, and where each entry's end. */
function rowsHeldOut(starts: Uint32Array, { parts, owners, folds }: FoldEntries) {
  const rows: number[] = [];
  const offsets = [0];
  owners.forEach((task, k) => {
    const end = starts[task + 1]!;
    for (let row = starts[task]! + folds[k]!; row < end; row += parts) rows.push(row);
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

/** The same rows, read where their tasks lie: for linear models with one output. */
export class HeldOutRows {
  readonly #tasks: ResidentTasks;
  readonly #entries: FoldEntries;
  readonly #placed: ReturnType<typeof placeEntries>;
  readonly #predictions: Pointer;
  readonly #rows: Uint32Array;

  constructor(tasks: ResidentTasks, entries: FoldEntries) {
    const { core, m } = tasks;
    const { arena } = core;
    this.#tasks = tasks;
    this.#entries = entries;
    this.#placed = placeEntries(core, entries);
    this.#rows = rowsHeldOut(arena.words(tasks.offsets, m + 1), entries).rows;
    this.#predictions = arena.f64(this.#rows.length);
  }

  /**
   * into[row] <- squared error, or log-loss of a label in {-1, +1}, of each of the rows under its entry's
   * model: W[count, d] and b[count] or 0, in the core.
   */
  score(
    { weights, intercepts }: { readonly weights: Pointer; readonly intercepts: Pointer },
    into: Float64Array,
  ): void {
    const { core, x, y, offsets, rows: count, loss, d } = this.#tasks;
    const { kernels, arena } = core;
    const { owners, folds } = this.#placed;
    const { parts } = this.#entries;
    const entries = this.#entries.owners.length;
    const out = this.#predictions;
    kernels.foldPredictions(x, offsets, owners, folds, parts, weights, intercepts, out, entries, d);
    const predictions = arena.view(out, this.#rows.length);
    const targets = arena.view(y, count);
    for (let k = 0; k < predictions.length; k++) {
      const row = this.#rows[k]!;
      into[row] = marginError(loss, predictions[k]!, targets[row]!);
    }
  }
}
