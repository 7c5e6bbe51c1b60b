/**
 * The sparse rows of a batch of tasks, centred within each task that has an intercept, and their products with vectors.
 * @module
 */
import {
  columnSquares,
  gathered,
  times,
  timesTransposed,
} from "../../../tasks/own-models/sparse/compact-rows.js";
import type { Zeros } from "../../../tasks/own-models/sparse/batch-room.js";
import type { RowRoom } from "../../../tasks/own-models/sparse/row-room.js";
import type { SparseTask } from "./sparse-task.js";
import { dot } from "../../../../linalg/dot.js";

/** What {@link CentredRows} takes beside the tasks. */
export interface CentredParts {
  /** Features. */
  readonly d: number;
  /** c_i, the factor of every task's loss, [m]. */
  readonly scales: ArrayLike<number>;
  /** Allocates what is kept of each task. */
  readonly zeros: Zeros;
  /** Scratch, shared by all tasks. */
  readonly room: RowRoom;
}

/** X_i, in the k columns that task i uses, and its row weights S_i, of mean 1. Results lie in scratch until the next task's. */
export class CentredRows {
  readonly d: number;
  readonly #tasks: readonly SparseTask[];
  readonly #weights: readonly Float64Array[];
  readonly #masses: readonly number[];
  readonly #room: RowRoom;

  constructor(tasks: readonly SparseTask[], { d, scales, zeros, room }: CentredParts) {
    this.d = d;
    this.#tasks = tasks;
    this.#weights = tasks.map(({ factors }, i) => {
      const own = zeros(factors.length);
      for (let j = 0; j < own.length; j++) own[j] = factors[j]! / scales[i]!;
      return own;
    });
    this.#masses = this.#weights.map((own) => sum(own, own.length));
    this.#room = room;
  }

  /** An upper bound on the diagonal of X_i^T S_i X_i, that of the rows before centring: the first k entries. */
  diagonal(i: number): Float64Array {
    return columnSquares(this.#tasks[i]!.rows, this.#weights[i]!, this.#room.columns);
  }

  /** An upper bound on the trace of X_i^T S_i X_i. */
  trace(i: number): number {
    return sum(this.diagonal(i), this.#tasks[i]!.rows.k);
  }

  /** The weighted mean of X_i v where there is an intercept, else 0; for v[d]. */
  level(i: number, v: Float64Array): number {
    const { rows, used } = this.#tasks[i]!;
    const room = this.#room;
    return this.#meanOf(i, times(rows, gathered(v, used, room.gathered), 0, room.rows));
  }

  #meanOf(i: number, moves: Float64Array): number {
    return this.#tasks[i]!.intercept ? dot(this.#weights[i]!, moves) / this.#masses[i]! : 0;
  }

  /** X_i v, the first n entries, and X_i^T S_i X_i v, the first k, for v[d]. */
  along(
    i: number,
    v: Float64Array,
  ): { readonly moves: Float64Array; readonly squares: Float64Array } {
    const { rows, used } = this.#tasks[i]!;
    const own = this.#weights[i]!;
    const room = this.#room;
    const moves = times(rows, gathered(v, used, room.gathered), 0, room.rows);
    const mean = this.#meanOf(i, moves);
    const { weighted } = room;
    for (let j = 0; j < rows.n; j++) {
      moves[j]! -= mean;
      weighted[j] = own[j]! * moves[j]!;
    }
    // Centring the rows on both sides is centring on one.
    return { moves, squares: timesTransposed(rows, weighted, room.columns) };
  }
}

/** Sum of the first n values. */
function sum(values: Float64Array, n: number): number {
  let all = 0;
  for (let k = 0; k < n; k++) all += values[k]!;
  return all;
}
