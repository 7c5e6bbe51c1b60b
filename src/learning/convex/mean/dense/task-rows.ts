/**
 * The dense rows of every task centred by their weights, where it has a free intercept: what they tell of its model beside that.
 * @module
 */
import type { Pointer } from "../../../../core/index.js";
import { LOSS_CODES, lossCurvature } from "../../../tasks/losses.js";
import { marginLoss } from "../../../tasks/margin-losses.js";
import type { ResidentTasks } from "../../../tasks/resident-tasks.js";
import { centreRows, rootRows } from "../../../tasks/weighted-rows.js";
import { fixedIntercepts } from "../../free-intercepts.js";

/** Rows, times a factor under the root. */
export interface ScaledRows {
  readonly at: Pointer;
  readonly n: number;
  readonly factor: number;
}

/** X_i of m tasks, and rows made of them one task at a time: what it hands out stays until it is asked again. */
export class TaskRows {
  /** The kernels' record of the centred rows: squared loss, targets 0, scales 1. */
  readonly record: Pointer;
  readonly #tasks: ResidentTasks;
  readonly #centred: Pointer;
  readonly #work: Pointer;
  readonly #mean: Pointer;
  readonly #ends: Uint32Array;
  readonly #weights: Float64Array | undefined;
  readonly #scales: Float64Array;
  /** Tasks whose intercepts are fixed. */
  readonly #fixed: ReadonlySet<number>;

  constructor(tasks: ResidentTasks) {
    const { core, m, d, rows, mostRows } = tasks;
    const { arena } = core;
    this.#tasks = tasks;
    this.#work = arena.f64(mostRows * d);
    this.#mean = arena.f64(d);
    this.#ends = arena.words(tasks.offsets, m + 1).slice();
    this.#weights = tasks.sampleWeights();
    this.#scales = arena.view(tasks.scales, m).slice();
    this.#centred = tasks.intercept ? arena.f64(rows * d) : tasks.x;
    this.#fixed = fixedIntercepts(tasks);
    for (let i = 0; i < m && tasks.intercept; i++) {
      if (this.#fixed.has(i)) this.#copy(i, this.#centred + 8 * this.#range(i)[0] * d);
      else this.#centre(i, this.#weights, this.#centred);
    }
    this.record = tasks.place({
      x: this.#centred,
      y: arena.zeros(rows),
      loss: LOSS_CODES.squared,
      scales: arena.copyOf(new Float64Array(m).fill(1)),
    });
  }

  /** Bytes that those of a batch take, whose largest task has so many rows. */
  static bytes(rows: number, mostRows: number, d: number): number {
    return 8 * (rows * (d + 1) + mostRows * d + d);
  }

  /** Bounds on the traces of task i's Hessian, the intercept minimised over, and of X_i^T S_i X_i. */
  traces(i: number): readonly [hessian: number, squares: number] {
    const { core, d, loss } = this.#tasks;
    const [from, n] = this.#range(i);
    const at = this.#centred + 8 * from * d;
    const own = this.#weights?.subarray(from, from + n);
    const most = own ? own.reduce((a, b) => Math.max(a, b), 0) : 1;
    const squares = most * core.kernels.dot(at, at, n * d);
    return [lossCurvature(loss) * this.#scales[i]! * squares, squares];
  }

  /** Rows whose squares sum to X_i^T S_i X_i. */
  ofTask(i: number): ScaledRows {
    const { d } = this.#tasks;
    const [from, n] = this.#range(i);
    const own = this.#weights?.subarray(from, from + n);
    const centred = this.#centred + 8 * from * d;
    return { at: own ? this.#rooted(own, centred) : centred, n, factor: 1 };
  }

  /** Rows whose squares sum to the Hessian of L_i, the intercept minimised over. @param margins of all rows. */
  curved(i: number, margins: Float64Array): ScaledRows {
    const scale = this.#scales[i]!;
    if (this.#tasks.loss === "squared") return { ...this.ofTask(i), factor: scale };
    const { d, loss, intercept } = this.#tasks;
    const [from, n] = this.#range(i);
    const { secondDerivative } = marginLoss(loss);
    const curvatures = Float64Array.from(
      margins.subarray(from, from + n),
      (margin, j) => (this.#weights?.[from + j] ?? 1) * (scale * secondDerivative(margin)),
    );
    if (!intercept || this.#fixed.has(i)) this.#copy(i, this.#work);
    else this.#centre(i, curvatures, this.#work - 8 * from * d, from);
    return { at: this.#rooted(curvatures, this.#work), n, factor: 1 };
  }

  #range(i: number): readonly [from: number, n: number] {
    const from = this.#ends[i]!;
    return [from, this.#ends[i + 1]! - from];
  }

  /** out <- task i's rows, [n, d]. */
  #copy(i: number, out: Pointer): void {
    const { d, x, core } = this.#tasks;
    const [from, n] = this.#range(i);
    core.arena.view(out, n * d).set(core.arena.view(x + 8 * from * d, n * d));
  }

  /** out <- task i's rows less their weighted mean, in their places; weights from row `first` on, absent: all 1. */
  #centre(i: number, weights: Float64Array | undefined, out: Pointer, first = 0): void {
    const { d, core } = this.#tasks;
    const [from, n] = this.#range(i);
    const at = out + 8 * from * d;
    this.#copy(i, at);
    centreRows(core, { at, n, d }, weights?.subarray(from - first, from - first + n), this.#mean);
  }

  /** The rows from there on times the roots of these weights. */
  #rooted(weights: Float64Array, rows: Pointer): Pointer {
    const { d, core } = this.#tasks;
    const { arena } = core;
    const n = weights.length;
    if (rows !== this.#work) arena.view(this.#work, n * d).set(arena.view(rows, n * d));
    rootRows(core, { at: this.#work, n, d }, weights);
    return this.#work;
  }
}
