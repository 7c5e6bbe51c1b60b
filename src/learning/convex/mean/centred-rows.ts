/**
 * The sparse rows of all tasks together, centred within tasks where these have intercepts: what they tell of the mean.
 * @module
 */
import {
  addScattered,
  columnSquares,
  gathered,
  times,
  timesTransposed,
} from "../../tasks/own-models/compact-rows.js";
import { conjugateGradients } from "./conjugate-gradients.js";
import type { SparseTask } from "./sparse-task.js";
import { dot } from "../../../linalg/dot.js";
import { norm } from "../../../linalg/norm.js";

/** Of what is projected: what is left of it outside. */
const INEXACT = 1e-12;

/** X_i, in the columns that task i uses, and S_i, weights of its rows of mean 1. */
export class CentredRows {
  readonly d: number;
  /** About the diagonal of sum_i X_i^T S_i X_i, [d]: that of the rows not centred; 1 where that is 0. */
  readonly diagonal: Float64Array;
  readonly #tasks: readonly SparseTask[];
  readonly #weights: readonly Float64Array[];
  readonly #masses: readonly number[];

  /** @param d features. @param scales c of every task, [m]. */
  constructor(tasks: readonly SparseTask[], d: number, scales: ArrayLike<number>) {
    this.d = d;
    this.#tasks = tasks;
    this.#weights = tasks.map(({ factors }, i) => factors.map((factor) => factor / scales[i]!));
    this.diagonal = new Float64Array(d);
    tasks.forEach(({ rows, used }, i) => {
      addScattered(1, columnSquares(rows, this.#weights[i]!), used, this.diagonal);
    });
    for (let j = 0; j < d; j++) this.diagonal[j] ||= 1;
    this.#masses = this.#weights.map((own) => own.reduce((sum, weight) => sum + weight, 0));
  }

  /** The weighted mean of X_i v where there is an intercept, else 0; for v[d]. */
  level(i: number, v: Float64Array): number {
    const { rows, used } = this.#tasks[i]!;
    return this.#meanOf(i, times(rows, gathered(v, used), 0));
  }

  #meanOf(i: number, moves: Float64Array): number {
    return this.#tasks[i]!.intercept ? dot(this.#weights[i]!, moves) / this.#masses[i]! : 0;
  }

  /** X_i v, [n], and X_i^T S_i X_i v, [k], for v[d]. */
  along(
    i: number,
    v: Float64Array,
  ): { readonly moves: Float64Array; readonly squares: Float64Array } {
    const { rows, used } = this.#tasks[i]!;
    const own = this.#weights[i]!;
    const moves = times(rows, gathered(v, used), 0);
    const mean = this.#meanOf(i, moves);
    const weighted = new Float64Array(moves.length);
    for (let j = 0; j < moves.length; j++) {
      moves[j]! -= mean;
      weighted[j] = own[j]! * moves[j]!;
    }
    // Centring the rows on both sides is centring on one.
    return { moves, squares: timesTransposed(rows, weighted) };
  }

  /** sum_i X_i^T S_i X_i v, [d]. */
  squares(v: Float64Array): Float64Array {
    const out = new Float64Array(this.d);
    this.#tasks.forEach(({ used }, i) => addScattered(1, this.along(i, v).squares, used, out));
    return out;
  }

  /** v without what no row sees, so that of vectors with the same X_i v it is the one of least norm; [d]. */
  seen(v: Float64Array): Float64Array {
    const b = this.squares(v);
    const times = (of: Float64Array) => this.squares(of);
    return conjugateGradients({ times, b, distance: INEXACT * norm(b), most: 10 * this.d }).x;
  }
}
