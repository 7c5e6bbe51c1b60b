/**
 * How every estimator reads its tasks: the loss, its scale, and whether there is an intercept.
 * @module
 */
import type { LossName, LossScale } from "./losses.js";

/** The options every estimator has. */
export interface CommonOptions {
  /** Default "squared". */
  readonly loss: LossName;
  /** "mean" (default): L_i is divided by n_i. "sum": it is not. */
  readonly lossScale: LossScale;
  /** An unpenalised b_i per task, private to it; default true. Networks have biases of their own instead. */
  readonly intercept: boolean;
}
