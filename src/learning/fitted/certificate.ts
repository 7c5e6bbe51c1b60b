/**
 * Proof that a non-private solution is near the optimum.
 * @module
 */

/** How far from optimal a solution can be, by a computation that does not trust the solver. */
export interface Certificate {
  /**
   * `duality-gap`: (objective - a lower bound on the optimum) / |objective|.
   * `gradient-norm`: a bound on the same quantity from ||gradient||^2 / (2 mu), for objectives
   * that are mu-strongly convex.
   */
  readonly kind: "duality-gap" | "gradient-norm";
  /** Relative distance of the objective to the optimum, at most this. */
  readonly value: number;
  /** What was asked for. */
  readonly tolerance: number;
  /** value <= tolerance. */
  readonly met: boolean;
  /**
   * Largest |dL_i/db_i| over tasks with a free intercept; the gap is exact up to this times the
   * distance of the intercepts to their optimum. 0 without intercepts.
   */
  readonly interceptResidual: number;
  /**
   * There where it is proven that the objective has no minimiser: one direction of all models tells the labels apart without an
   * error, and the further along it, the lower the losses. The solver stopped where it found this.
   */
  readonly noMinimiser?: true;
}
