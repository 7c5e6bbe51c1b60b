/**
 * Every task's rows as subspace learning sees them: centred where there is an intercept, and divided by one number of
 * the task's own, so that a row's squared norm is d on average and no size depends on the units of all features.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import { sumOfSquares } from "../../../linalg/norm.js";

/** Rows of one task. */
export interface OwnTask {
  readonly n: number;
  readonly d: number;
  /** [n, d], and [n]. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Rows less those that the intercept takes. */
  readonly freedom: number;
}

/** Rows of a batch; a model v of the scaled rows is `scale v` of the given ones. */
export class OwnRows {
  readonly m: number;
  readonly d: number;
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #offsets: Uint32Array;
  readonly #intercept: boolean;
  readonly #centers: Float64Array;
  readonly #levels: Float64Array;
  readonly #scales: Float64Array;

  constructor({ m, d, x, y, offsets }: TaskSet, intercept: boolean) {
    this.m = m;
    this.d = d;
    this.#offsets = offsets;
    this.#intercept = intercept;
    this.#x = x.slice();
    this.#y = y.slice();
    this.#centers = new Float64Array(m * d);
    this.#levels = new Float64Array(m);
    this.#scales = new Float64Array(m);
    for (let i = 0; i < m; i++) this.#prepare(i);
  }

  #prepare(i: number): void {
    const { d } = this;
    const { n, x, y } = this.task(i);
    if (this.#intercept) {
      const center = this.#centers.subarray(i * d, (i + 1) * d);
      for (let row = 0; row < n; row++) {
        for (let j = 0; j < d; j++) center[j]! += x[row * d + j]! / n;
        this.#levels[i]! += y[row]! / n;
      }
      for (let row = 0; row < n; row++) {
        for (let j = 0; j < d; j++) x[row * d + j]! -= center[j]!;
        y[row]! -= this.#levels[i]!;
      }
    }
    const square = sumOfSquares(x);
    const scale = Math.sqrt((n * d) / square);
    const usable = square > 0 && square < Infinity && scale < Infinity;
    this.#scales[i] = usable ? scale : 0;
    for (let k = 0; k < x.length; k++) x[k] = usable ? x[k]! * scale : 0;
  }

  /** Task i: views, not copies. */
  task(i: number): OwnTask {
    const [from, to] = [this.#offsets[i]!, this.#offsets[i + 1]!];
    const n = to - from;
    const { d } = this;
    return {
      n,
      d,
      freedom: this.#intercept ? n - 1 : n,
      x: this.#x.subarray(from * d, to * d),
      y: this.#y.subarray(from, to),
    };
  }

  /** Turns task i's model of the scaled rows into one of the given rows, in place; returns its intercept. */
  restore(i: number, model: Float64Array): number {
    let level = this.#levels[i]!;
    for (let j = 0; j < this.d; j++) {
      model[j]! *= this.#scales[i]!;
      level -= model[j]! * this.#centers[i * this.d + j]!;
    }
    return level;
  }
}
