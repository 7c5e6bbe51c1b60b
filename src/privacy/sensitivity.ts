/**
 * How far one task can move each released statistic, with every model (or update) of l2 norm
 * at most K.
 * @module
 */
import { integer, object, oneOf, positive } from "../core/checks.js";
import { checkAdjacency } from "./events/adjacency.js";
import type { Adjacency } from "./events/event-kinds.js";

/**
 * What is released. `"covariance"` W W^T [d, d]; `"diagonal"` of it [d]; `"task-covariance"` W^T W
 * [m, m]; `"augmented-covariance"` sum [w;1][w;1]^T [d+1, d+1]; `"vector"` sum of w_i [d]; `"moment"` the same of
 * vectors whose inner products with one another are not negative: counts, or positive semidefinite matrices written
 * as [A_ii, sqrt(2) A_ij].
 */
export type Statistic =
  "covariance" | "diagonal" | "task-covariance" | "augmented-covariance" | "vector" | "moment";

export const STATISTICS: readonly Statistic[] = [
  "covariance",
  "diagonal",
  "task-covariance",
  "augmented-covariance",
  "vector",
  "moment",
];

/** Whether it is a sum of vectors as they are shared. */
export const isVectorSum = (statistic: Statistic) =>
  statistic === "vector" || statistic === "moment";

/** The norm a mechanism's noise is calibrated to. Of a vector, `nuclear` is l1, `frobenius` l2. */
export type SensitivityNorm = "nuclear" | "frobenius";

/** Sizes a sensitivity depends on. */
export interface SensitivityInput {
  statistic: Statistic;
  norm: SensitivityNorm;
  adjacency: Adjacency;
  /** K > 0, the bound on every task's vector. */
  clip: number;
  /** m, the number of tasks; used by `"task-covariance"` only, which needs m >= 2. */
  tasks: number;
  /** d, the number of features; used by the l1 sensitivity of `"vector"` only. */
  dimension: number;
}

/**
 * The largest change of the statistic that one task can cause.
 *
 * For `W W^T` the change is `w w^T - w' w'^T`, of rank two and trace norm at most 2 K^2; its
 * Frobenius norm is sqrt(|w|^4 + |w'|^4 - 2 (w.w')^2) <= sqrt(2) K^2. For `W^T W` one row and one
 * column change together: zeroing column 1 removes K^2 from the corner and a vector of norm at
 * most K^2 sqrt(m-1) twice beside it. Of the augmented sum, zeroing w leaves the 1: the change
 * [w w^T, w; w^T, 0] has eigenvalues (K^2 +- K sqrt(K^2 + 4)) / 2; removing the column has K^2 + 1. The diagonal's entries are non-negative and sum to at most
 * K^2, which gives the same figures in l1 and l2. Of moments, |v - w|^2 = |v|^2 + |w|^2 - 2 v.w <= 2 K^2; in l1 they are
 * vectors like others. A matrix that is semidefinite only up to rounding, by 2^-42 K, widens this by less than 2^-40.
 *
 * @throws RangeError if K <= 0, a word is not one of those above, or m < 2 for `"task-covariance"`, or the figure leaves the range in which
 *   doubles, and the noise scaled to it, are exact to their relative precision.
 */
export function sensitivity(input: SensitivityInput): number {
  const figure = largestChange(input);
  if (figure > 1e-280 && figure < 1e280) return figure;
  throw new RangeError(
    `clip: expected a bound whose sensitivity lies between 1e-280 and 1e280, got ${input.clip}; ` +
      "use other units",
  );
}

function largestChange(input: SensitivityInput): number {
  const { statistic, norm, adjacency, clip, tasks: m, dimension: d } = object("input", input);
  oneOf("statistic", statistic, STATISTICS);
  oneOf("norm", norm, ["nuclear", "frobenius"]);
  // Another word would be taken for the smaller of two.
  checkAdjacency(adjacency);
  const k = positive("clip", clip);
  const replace = adjacency === "replace";
  const nuclear = norm === "nuclear";
  switch (statistic) {
    case "covariance":
    case "diagonal":
      return k * k * (replace ? (nuclear ? 2 : Math.SQRT2) : 1);
    case "augmented-covariance":
      if (replace) return (k * k + 1) * (nuclear ? 2 : Math.SQRT2);
      return nuclear ? Math.max(k * k + 1, k * Math.sqrt(k * k + 4)) : k * k + 1;
    case "task-covariance":
      integer("tasks", m, 2);
      if (nuclear) return k * k * (replace ? 4 * Math.sqrt(m - 1) : Math.sqrt(4 * m - 3));
      return k * k * Math.sqrt(replace ? 8 * (m - 1) : 2 * m - 1);
    case "vector":
      return k * (replace ? 2 : 1) * (nuclear ? Math.sqrt(d) : 1);
    case "moment":
      if (nuclear) return k * (replace ? 2 : 1) * Math.sqrt(d);
      return k * (replace ? Math.SQRT2 * (1 + 2 ** -40) : 1);
  }
}
