/**
 * Features of a lasso that take part: all where they are few, else those of the support and, of the others, those that are furthest
 * from their optimality conditions, more each time.
 * @module
 */

/** So many always take part together; and so many are added at least. */
const FEW = 256;
const ADDED = 64;

/** A growing choice of d columns. */
export class LassoColumns {
  /** In ascending order. */
  chosen: Uint32Array;
  readonly #taken: Uint8Array;

  constructor(d: number) {
    this.#taken = new Uint8Array(d).fill(d <= FEW ? 1 : 0);
    this.chosen = Uint32Array.from({ length: d <= FEW ? d : 0 }, (_, j) => j);
  }

  /** Adds columns that are not 0, and of the others as many as take part, those of the steepest slopes beyond lambda. */
  grow(weights: Float64Array, slopes: Float64Array, lambda: number): void {
    const taken = this.#taken;
    const before = this.chosen.length;
    if (before === taken.length) return;
    const off: number[] = [];
    for (let j = 0; j < taken.length; j++) {
      if (weights[j] !== 0) taken[j] = 1;
      else if (taken[j] === 0 && Math.abs(slopes[j]!) > lambda) off.push(j);
    }
    // Of equal slopes the first, on every host.
    off.sort((i, j) => Math.abs(slopes[j]!) - Math.abs(slopes[i]!) || i - j);
    for (const j of off.slice(0, Math.max(ADDED, before))) taken[j] = 1;
    const all = Array.from(taken.keys()).filter((j) => taken[j] === 1);
    this.chosen = Uint32Array.from(all);
  }
}
