/**
 * Whether one direction for all tasks tells the labels apart: then their losses fall along it without end, and there is no minimiser.
 *
 * Where s_j = x_j . a of all of a task's rows of the one label lie above those of the other, some level b_i makes every margin
 * y_j (s_j + b_i) > 0. If that holds of every task, L_i(w_i + t a, b_i + t level) falls to 0 as t grows while the distances from the
 * mean stay as they are, so the infimum is that of the penalty alone, 0, which logistic losses do not reach.
 * @see Albert and Anderson (1984), "On the existence of maximum likelihood estimates in logistic regression models".
 * @module
 */

/** A task along a direction. */
export interface Along {
  /** x_j . a, [n]. */
  readonly scores: Float64Array;
  /** Labels, -1 and 1, [n]. */
  readonly y: Float64Array;
  /** Rows of factor 0 say nothing, [n]. */
  readonly factors: Float64Array;
  /** Whether the task has a level of its own. */
  readonly intercept: boolean;
}

/** Widths below this part of the largest score may be rounding. */
const LEAST = 1e-9;

/** By how much scores of the label 1 lie above those of -1, in parts of the largest; below 0: they do not. */
export function labelsApart({ scores, y, factors, intercept }: Along): number {
  let [above, below, most] = [Infinity, -Infinity, 0];
  scores.forEach((score, j) => {
    if (!(factors[j]! > 0)) return;
    most = Math.max(most, Math.abs(score));
    if (y[j]! > 0) above = Math.min(above, score);
    else below = Math.max(below, score);
  });
  if (most === 0) return 0;
  const width = intercept ? above - below : Math.min(above, -below);
  return Math.min(1, width / most);
}

/** Whether these widths of all tasks prove that there is no minimiser. */
export const isUnbounded = (widths: Float64Array): boolean =>
  widths.length > 0 && widths.every((width) => width > LEAST);
