/**
 * The losses a task can be trained on, and what the solvers need to know of each.
 *
 * L_i(w) = c_i sum_j loss(x_ij . w, y_ij), with c_i = 1/n_i (`"mean"`) or 1 (`"sum"`).
 * @module
 */

/** `squared`: (p - y)^2 / 2. `logistic`: log(1 + exp(-y p)), y in {-1, +1}. */
export type LossName = "squared" | "logistic";

/** Whether L_i is divided by the task's number of rows. */
export type LossScale = "mean" | "sum";

export const LOSS_NAMES: readonly LossName[] = ["squared", "logistic"];
export const LOSS_SCALES: readonly LossScale[] = ["mean", "sum"];

interface LossFacts {
  /** Code in the kernels. */
  readonly code: number;
  /** Largest second derivative in p. */
  readonly curvature: number;
}

const FACTS: Record<LossName, LossFacts> = {
  squared: { code: 0, curvature: 1 },
  logistic: { code: 1, curvature: 0.25 },
};

/** Kernel code and curvature bound of a loss. */
export function lossFacts(loss: LossName): LossFacts {
  return FACTS[loss];
}

/**
 * A public bound L on the Hessians of all L_i: curvature B^2, times the largest n_i for `"sum"`
 * (METHODS.md: the n_i are public, the rows are not).
 *
 * @param featureBound B, the declared bound on row norms.
 */
export function publicSmoothness(
  loss: LossName,
  lossScale: LossScale,
  featureBound: number,
  taskSizes: ArrayLike<number>,
): number {
  const rows = lossScale === "sum" ? Array.from(taskSizes).reduce((a, b) => Math.max(a, b), 1) : 1;
  return lossFacts(loss).curvature * featureBound * featureBound * rows;
}
