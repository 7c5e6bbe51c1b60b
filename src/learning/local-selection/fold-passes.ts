/**
 * In which order the folds of tasks go through the rounds, where those of a task that falls back for certain need not.
 *
 * The folds on whose rows the task's shared model loses most come first: it has seen these rows, and models that have not are likely to lose
 * most there, too.
 * @module
 */
import type { FoldBatch } from "./folds.js";
import { KnownLosses, type PassesOptions } from "./known-losses.js";

/** Entries of a batch that go through the rounds together, one pass after the other; a task's are asked for until it falls back for certain. */
export function* foldPasses(
  batch: FoldBatch,
  options: PassesOptions,
): Generator<Uint32Array, void> {
  // The loops are methods, which engines compile: this one is interrupted again and again.
  const passes = new Passes(batch, options);
  for (let pass = passes.first(); pass.length > 0; pass = passes.next()) yield pass;
}

/** The tasks that may have folds left. What there is of each lies in arrays of the batch, by the place of its first entry. */
class Passes {
  readonly #batch: FoldBatch;
  readonly #offsets: ArrayLike<number>;
  readonly #known: KnownLosses;
  /** The places of these tasks, of which the first `left` count. */
  readonly #open: Uint32Array;
  #left = 0;
  /** The place after a task's last entry, and its entries in the order of their passes. */
  readonly #ends: Uint32Array;
  readonly #order: Uint32Array;
  /** How many entries of each task have passed. */
  #passed = 0;
  /** Filled with the entries of a pass. */
  readonly #pass: Uint32Array;
  readonly #means: Float64Array;

  constructor(batch: FoldBatch, options: PassesOptions) {
    const count = batch.owners.length;
    this.#batch = batch;
    this.#offsets = options.offsets;
    this.#known = new KnownLosses(batch, options);
    this.#open = new Uint32Array(count);
    this.#ends = new Uint32Array(count);
    this.#order = new Uint32Array(count);
    this.#pass = new Uint32Array(count);
    this.#means = new Float64Array(batch.parts);
  }

  first(): Uint32Array {
    const { owners, parts } = this.#batch;
    let found = 0;
    for (let from = 0, to = 0; from < owners.length; from = to) {
      const task = owners[from]!;
      while (to < owners.length && owners[to] === task) to++;
      const n = this.#offsets[task + 1]! - this.#offsets[task]!;
      // Of a task whose folds are in several batches no batch knows all losses of its own model.
      if (to - from < Math.min(n, parts)) {
        for (let entry = from; entry < to; entry++) this.#pass[found++] = entry;
        continue;
      }
      this.#hardestFirst(from, to);
      this.#pass[found++] = this.#order[from]!;
      this.#ends[from] = to;
      if (to - from > 1) this.#open[this.#left++] = from;
    }
    this.#passed = 1;
    return this.#pass.slice(0, found);
  }

  next(): Uint32Array {
    let found = 0;
    let left = 0;
    for (let k = 0; k < this.#left; k++) {
      const from = this.#open[k]!;
      const at = from + this.#passed;
      this.#known.addShared(this.#order[at - 1]!);
      if (this.#known.decides(from)) continue;
      this.#pass[found++] = this.#order[at]!;
      if (at + 1 < this.#ends[from]!) this.#open[left++] = from;
    }
    this.#left = left;
    this.#passed++;
    return this.#pass.slice(0, found);
  }

  /** Orders a task's entries by the mean loss of the model that has seen their rows, the largest first. */
  #hardestFirst(from: number, to: number): void {
    const [order, means] = [this.#order, this.#means];
    for (let entry = from; entry < to; entry++) {
      const mean = this.#known.addOwn(entry);
      // Sorted as they come.
      let at = entry - from;
      for (; at > 0 && means[at - 1]! < mean; at--) {
        means[at] = means[at - 1]!;
        order[from + at] = order[from + at - 1]!;
      }
      means[at] = mean;
      order[from + at] = entry;
    }
  }
}
