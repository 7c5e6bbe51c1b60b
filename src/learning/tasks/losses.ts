/**
 * The losses a task can be trained on, and what the solvers need to know of each.
 *
 * L_i(w) = c_i sum_j loss(x_ij . w, y_ij), with c_i = 1/n_i (`"mean"`) or 1 (`"sum"`).
 * @module
 */

/** Losses of one number p = x . w + b: (p - y)^2 / 2; log(1 + exp(-y p)), y in {-1, +1}. */
export type MarginLoss = "squared" | "logistic";

/** The margin losses, and `softmax`: log sum_c exp z_c - z_y for C logits z, y in 0..C-1. */
export type LossName = MarginLoss | "softmax";

/** Whether L_i is divided by the task's number of rows. */
export type LossScale = "mean" | "sum";

export const MARGIN_LOSSES: readonly MarginLoss[] = ["squared", "logistic"];
export const LOSS_NAMES: readonly LossName[] = [...MARGIN_LOSSES, "softmax"];
export const LOSS_SCALES: readonly LossScale[] = ["mean", "sum"];

/** Largest second derivative in p, or eigenvalue of the Hessian in z (Bohning 1992). */
const CURVATURE: Record<LossName, number> = { squared: 1, logistic: 1 / 4, softmax: 1 / 2 };

/** The kernels' codes; those of the softmax are kernels of their own and do not read it. */
export const LOSS_CODES: Record<LossName, number> = { squared: 0, logistic: 1, softmax: 2 };

/** Bound on the loss's second derivative in its prediction. */
export function lossCurvature(loss: LossName): number {
  return CURVATURE[loss];
}

/** Numbers predicted per row: C for softmax, else 1. */
export function outputsOf(loss: LossName, classes: { readonly length: number } | null): number {
  return loss === "softmax" ? classes!.length : 1;
}

/**
 * A public bound L on the Hessians of all L_i: curvature B^2, times the largest n_i for `"sum"`
 * (the n_i are public, the rows are not).
 *
 * @param featureBound B, the declared bound on row norms.
 * @param mostRows     the largest n_i.
 */
export function publicSmoothness(
  loss: LossName,
  lossScale: LossScale,
  featureBound: number,
  mostRows: number,
): number {
  const rows = lossScale === "sum" ? Math.max(1, mostRows) : 1;
  return lossCurvature(loss) * featureBound * featureBound * rows;
}
