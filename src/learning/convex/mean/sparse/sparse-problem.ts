/**
 * F of tasks with sparse rows, which lie on one thread or several: every task in the columns that it uses, the Hessian by its
 * products with vectors.
 *
 * Outside those columns a task's model is the mean, so no more is worked with than a number for each of them; where rows
 * connect many columns, `SparseSystem` holds these rows dense, of one task each.
 * @module
 */
import { largest } from "../../../../core/largest.js";
import { norm } from "../../../../linalg/norm.js";
import type { Gap } from "../../certificates/duality-gap.js";
import { isUnbounded } from "../labels-apart.js";
import { conjugateGradients } from "../conjugate-gradients.js";
import type { Evaluated, MeanProblem } from "../problem.js";
import type { SparseAsked } from "./sparse-asked.js";
import { sparseGap } from "./sparse-gap.js";
import { SPARSE_ASK } from "./sparse-questions.js";
import { SPARSE_SUMS } from "./sparse-totals.js";

/** The share of the gradient that a Newton step may leave. */
const INEXACT = 1e-6;
/** The share of a projected vector that may be left outside the subspace. */
const OUTSIDE = 1e-12;

export class SparseMean implements MeanProblem {
  readonly #tasks: SparseAsked;
  readonly #start: Float64Array;
  #mean: Float64Array;
  /** Of the entries of X_i^T S_i X_i v, for v of norm 1. */
  #bound = 0;
  #diagonal: Float64Array | undefined;
  unbounded = false;

  /** @param start the mean that Newton's method starts from, [d]. */
  constructor(tasks: SparseAsked, start: Float64Array) {
    this.#tasks = tasks;
    this.#start = start;
    this.#mean = start;
  }

  async evaluate(a: Float64Array): Promise<Evaluated> {
    const { lambda } = this.#tasks;
    this.#mean = a.slice();
    const [values, most, traces, apart] = await this.#tasks.ask(SPARSE_ASK.evaluate, a);
    this.unbounded = isUnbounded(apart!);
    this.#bound = largest(traces!);
    const bounds = [largest(most!)];
    const [differences] = await this.#tasks.sums({ kind: SPARSE_SUMS.differences, bounds });
    const value = values!.reduce((sum, one) => sum + one, 0);
    return { value, gradient: differences!.map((entry) => -2 * lambda * entry) };
  }

  async newtonStep(gradient: Float64Array): Promise<Float64Array> {
    const { d, lambda } = this.#tasks;
    const times = async (v: Float64Array) => {
      const bounds = [2 * lambda * norm(v)];
      return (await this.#tasks.sums({ kind: SPARSE_SUMS.curvature, bounds, v }))[0]!;
    };
    const [sizes] = await this.#tasks.sums({ kind: SPARSE_SUMS.sizes, bounds: [2 * lambda] });
    const distance = INEXACT * norm(gradient);
    const diagonal = positive(sizes!);
    return (await conjugateGradients({ times, b: gradient, distance, most: 10 * d, diagonal })).x;
  }

  async gap(): Promise<Gap> {
    if (!this.#diagonal) {
      const bounds = [this.#bound];
      const [sizes] = await this.#tasks.sums({ kind: SPARSE_SUMS.diagonal, bounds });
      this.#diagonal = positive(sizes!);
    }
    return sparseGap(this.#tasks, this.#squares, this.#diagonal);
  }

  /** Has the tasks make their models. */
  async close(): Promise<void> {
    // Of all means that the rows do not tell apart, the one that is nearest to the start; intercepts make up for the move.
    const moved = this.#mean.map((value, j) => value - this.#start[j]!);
    const least = await this.#seen(moved);
    const base = this.#start.map((value, j) => value + least[j]!);
    const shift = moved.map((value, j) => value - least[j]!);
    await this.#tasks.ask(SPARSE_ASK.close, base, shift);
  }

  /** sum_i X_i^T S_i X_i v, [d]. */
  readonly #squares = async (v: Float64Array): Promise<Float64Array> => {
    const bounds = [this.#bound * norm(v)];
    return (await this.#tasks.sums({ kind: SPARSE_SUMS.squares, bounds, v }))[0]!;
  };

  /** v without what no row sees, so that of vectors with the same X_i v it is the one of least norm; [d]. */
  async #seen(v: Float64Array): Promise<Float64Array> {
    const b = await this.#squares(v);
    const distance = OUTSIDE * norm(b);
    const most = 10 * this.#tasks.d;
    return (await conjugateGradients({ times: this.#squares, b, distance, most })).x;
  }
}

/** Sizes of columns; 1 where no row has the column, whose gradient is 0. */
const positive = (sizes: Float64Array) => sizes.map((size) => size || 1);
