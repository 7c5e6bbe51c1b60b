/**
 * What a model may offer beyond predictions of the tasks it was fitted on: for tasks never seen, and intervals.
 * Methods whose models can do so define these on their model; commands ask whether they are there.
 * @module
 */
import type { DenseRows } from "../flat-rows.js";
import type { Rows } from "../task/task-model.js";

/** Where the targets of n rows lie, in the units of `predict`. */
export interface PredictionInterval {
  /** Lower ends, [n]. */
  readonly lower: Float64Array;
  /** Upper ends, [n]. */
  readonly upper: Float64Array;
}

/** Optional members of a fitted model. Rows are as those of `predict`: number[][], or in one array [n, d]; prepared like training rows. */
export interface FurtherPredictions {
  /** As `predict`, for a task that the model was not fitted on. */
  predictNew?(rows: Rows): Float64Array;
  /** As `TaskModel.outputs`, for such a task: log-odds of the average probability, or C logits. */
  outputsNew?(rows: Rows): Float64Array;
  /**
   * Where a new row's target lies with probability `level`.
   * @param task a task's name, or null for one that the model was not fitted on.
   * @throws DataError for a name that the model does not know, or a row that does not fit; RangeError for a level outside (0, 1).
   */
  predictInterval?(task: string | null, rows: DenseRows, level: number): PredictionInterval;
}
