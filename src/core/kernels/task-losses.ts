/**
 * Losses of all tasks: values, gradients, predictions, curvatures: `assembly/tasks`.
 * @module
 */
import type { Pointer } from "./pointer.js";

/** See {@link TaskKernels} for `data`. */
export interface TaskLossKernels {
  /** losses[i] = L_i(w_i, b_i) (0: not wanted), gradients[m,d] and interceptGradients[m] (or 0) its gradient. */
  taskGradients(
    data: Pointer,
    weights: Pointer,
    intercepts: Pointer,
    gradients: Pointer,
    interceptGradients: Pointer,
    losses: Pointer,
  ): void;
  /**
   * `taskGradients`, to the same bits, from margins[N] that `taskPredict` wrote without intercepts; gradients 0: not wanted.
   */
  taskGradientsOfMargins(
    data: Pointer,
    margins: Pointer,
    intercepts: Pointer,
    gradients: Pointer,
    interceptGradients: Pointer,
    losses: Pointer,
  ): void;
  /** losses[i] = L_i(w_i, b_i) only. */
  taskLosses(data: Pointer, weights: Pointer, intercepts: Pointer, losses: Pointer): void;
  /** out[N]: x_ij . w_i + b_i. */
  taskPredict(data: Pointer, weights: Pointer, intercepts: Pointer, out: Pointer): void;
  /**
   * Mini-batch of one task: g[d] = scale * sum_k loss'(x_j . w, y_j) x_j, j = rows[k] (u32[count],
   * repeats allowed). Returns scale * sum_k loss.
   */
  taskBatchGradient(
    data: Pointer,
    rows: Pointer,
    count: number,
    scale: number,
    w: Pointer,
    g: Pointer,
  ): number;
  /**
   * Softmax with y in 0..classes-1 and weights, gradients [m, d * classes], row i the row-major
   * d x classes parameters of task i; losses[i] = c_i sum_j (log sum_c exp z_c - z_y).
   */
  softmaxGradients(
    data: Pointer,
    weights: Pointer,
    gradients: Pointer,
    losses: Pointer,
    work: Pointer,
  ): void;
  /** Bytes of scratch memory that `softmaxGradients` needs at `work`. */
  softmaxGradientsWorkspace(d: number, classes: number): number;
  /** As `taskBatchGradient`, for w and g [d * classes]; work as for `softmaxGradients`. */
  softmaxBatchGradient(
    data: Pointer,
    rows: Pointer,
    count: number,
    scale: number,
    w: Pointer,
    g: Pointer,
    work: Pointer,
  ): number;
  /** losses[i] only; work as for `softmaxGradients`. */
  softmaxLosses(data: Pointer, weights: Pointer, losses: Pointer, work: Pointer): void;
  /** out[N, classes]: class probabilities of every row under its own task's parameters. */
  softmaxPredict(data: Pointer, weights: Pointer, out: Pointer): void;
  /**
   * out[i] = an upper bound, tight to 1e-6 relative, of lambda_max(Z_i^T S_i Z_i) * scales[i], Z_i = X_i,
   * or [X_i 1] when `intercept` is 1. With `largestOnly` 1 the bounds of tasks that have less than the largest need not be tight.
   */
  taskCurvatures(
    data: Pointer,
    intercept: number,
    largestOnly: number,
    out: Pointer,
    work: Pointer,
  ): void;
  /** Bytes of scratch memory that `taskCurvatures` needs at `work`, for tasks of at most `rows` rows. */
  taskCurvaturesWorkspace(rows: number, d: number): number;
}
