/**
 * What is known of the held-out losses of a batch's tasks while its folds go through the rounds.
 * @module
 */
import { nothingKnown, surelyFallsBack } from "./early-fallback.js";
import type { FoldBatch } from "./folds.js";

/** Losses of all rows, and the test. */
export interface PassesOptions {
  /** Row offsets of all tasks, [m + 1]. */
  readonly offsets: ArrayLike<number>;
  /** Held-out losses of the single-task models, [N]. */
  readonly singleTask: Float64Array;
  /** Of the shared models, held out, [N]: those of entries that have passed. */
  readonly shared: Float64Array;
  /** Of the shared models of all rows, on the rows that they have seen, [N]. */
  readonly fitted: Float64Array;
  /** Standard errors of the test by ratios. */
  readonly errors: number;
}

/** Sums that are kept of a task: those of `PartlyKnown`, in its order. */
const SUMS = 5;

/** Sums over the rows of tasks, in one array: an object for each would be thousands a fit. */
export class KnownLosses {
  readonly #batch: FoldBatch;
  readonly #options: PassesOptions;
  readonly #sums: Float64Array;
  readonly #one = nothingKnown(0);

  constructor(batch: FoldBatch, options: PassesOptions) {
    this.#batch = batch;
    this.#options = options;
    const { owners } = batch;
    // Owners ascend.
    this.#sums = new Float64Array(SUMS * (owners[owners.length - 1]! - owners[0]! + 1));
  }

  /** Adds what the own model of an entry's task loses on its rows. @returns the mean loss there of the model that has seen them. */
  addOwn(entry: number): number {
    const { folds, owners, parts } = this.#batch;
    const { offsets, fitted, singleTask } = this.#options;
    const task = owners[entry]!;
    const [first, end] = [offsets[task]! + folds[entry]!, offsets[task + 1]!];
    const [sums, at] = [this.#sums, SUMS * (task - owners[0]!)];
    let own = sums[at]!;
    let ownSquares = sums[at + 1]!;
    let seen = 0;
    let rows = 0;
    for (let row = first; row < end; row += parts) {
      const loss = singleTask[row]!;
      own += loss;
      ownSquares += loss * loss;
      seen += fitted[row]!;
      rows++;
    }
    sums[at] = own;
    sums[at + 1] = ownSquares;
    return seen / rows;
  }

  /** Adds what the shared model of an entry that has passed loses on its rows. */
  addShared(entry: number): void {
    const { folds, owners, parts } = this.#batch;
    const { offsets, shared, singleTask } = this.#options;
    const task = owners[entry]!;
    const [first, end] = [offsets[task]! + folds[entry]!, offsets[task + 1]!];
    const [sums, at] = [this.#sums, SUMS * (task - owners[0]!)];
    let sum = sums[at + 2]!;
    let squares = sums[at + 3]!;
    let products = sums[at + 4]!;
    for (let row = first; row < end; row += parts) {
      const loss = shared[row]!;
      sum += loss;
      squares += loss * loss;
      products += loss * singleTask[row]!;
    }
    sums[at + 2] = sum;
    sums[at + 3] = squares;
    sums[at + 4] = products;
  }

  /** Whether the task of an entry falls back whatever is still to be known. */
  decides(entry: number): boolean {
    const { offsets, errors } = this.#options;
    const { owners } = this.#batch;
    const task = owners[entry]!;
    const [sums, at, one] = [this.#sums, SUMS * (task - owners[0]!), this.#one];
    one.n = offsets[task + 1]! - offsets[task]!;
    one.own = sums[at]!;
    one.ownSquares = sums[at + 1]!;
    one.sum = sums[at + 2]!;
    one.squares = sums[at + 3]!;
    one.products = sums[at + 4]!;
    return surelyFallsBack(one, errors);
  }
}
