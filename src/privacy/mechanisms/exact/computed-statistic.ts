/**
 * The sensitivity of a statistic as it is computed, in floating point.
 *
 * **Statement.** The computed statistic has sensitivity at most (Delta + 2 e s) (1 + c), Delta that of exact
 * arithmetic, s how much a change of at most 1 of every entry is in the norm.
 *
 * **Proof.** Each entry is a sum of m products of numbers of absolute value at most K whose absolute sum is at most
 * m K^2, so its error is at most e = (m + 2) 2^-53 m K^2 in whatever order they are added, on both sides. A vector clipped in floating point has norm
 * at most K (1 + (d + 4) 2^-52), which widens every sensitivity by 1 + c, c = (2d + 9) 2^-52. Over n entries s is
 * sqrt(n) in l2 and n in l1; a symmetric matrix R of side k has ||R||_nuc <= sqrt(k) ||R||_F, so s is k sqrt(k). QED
 * @module
 */
import { isVectorSum, sensitivity, type SensitivityNorm } from "../../sensitivity.js";
import { matrixSide, type MechanismOptions } from "../mechanism.js";
import type { Adjacency } from "../../events/event-kinds.js";

/** What exact noise is calibrated to. */
export interface ComputedStatistic {
  /** Whether it is one. */
  readonly matrix: boolean;
  /** Side of a matrix, entries of a vector. */
  readonly side: number;
  readonly entries: number;
  /** s: the norm of a change of 1 of every entry, at most. */
  readonly spread: number;
  /** Sensitivity of the computed statistic, before it is rounded to a grid. */
  readonly sensitivity: number;
  /** No entry is larger in absolute value. */
  readonly largest: number;
}

/** Sizes and sensitivity of the statistic, in the norm of a mechanism. */
export function computedStatistic(
  options: MechanismOptions & { adjacency: Adjacency },
  norm: SensitivityNorm,
): ComputedStatistic {
  const { statistic, tasks: m, dimension: d, clip } = options;
  const sum = isVectorSum(statistic);
  const matrix = !sum && statistic !== "diagonal";
  const side = matrix ? matrixSide(options) : d;
  const entries = matrix ? side * side : d;
  const root = Math.sqrt(entries);
  const spread = norm === "frobenius" ? root : matrix ? side * Math.sqrt(side) : entries;
  const exact = sensitivity({ ...options, norm });
  const terms = statistic === "task-covariance" ? d : m;
  const bound = sum ? clip : clip * clip + 1;
  const error = (terms + 2) * 2 ** -53 * m * bound;
  return {
    matrix,
    side,
    entries,
    spread,
    sensitivity: (exact + 2 * error * spread) * (1 + (2 * d + 9) * 2 ** -52),
    largest: 2 * m * bound,
  };
}
