/**
 * Algorithm 3: private group-sparse multi-task learning.
 * @module
 */
import { rowsOfPrecision } from "../options/rows-taken.js";
import type { Statistic } from "../../privacy/index.js";
import { mechanismFor } from "../options/private-options.js";
import { projectedHalves } from "../families/projected/halves.js";
import {
  checkProjected,
  gradientOptions,
  type GradientMethodOptions,
} from "../families/projected/options.js";
import { plannedClip } from "../options/clip-option.js";
import { logRange, type DividedMethod } from "../options/method.js";
import { groupSparseRule } from "../sharing/group-sparse.js";
import { diagonalProjection } from "../steps/projection.js";
import { PrivateEstimator } from "../release/private-estimator.js";

/** What is released. */
const statistics: readonly Statistic[] = ["diagonal"];

export const mpGroupSparse: DividedMethod<GradientMethodOptions> = {
  name: "mp-group-sparse",
  title: "Algorithm 3, few features",
  recommendedFor: "the same, few features in use",
  options: { ...gradientOptions, mechanism: mechanismFor(statistics) },
  releases: "diagonal of W W^T + noise",
  privacy: {
    unit: "task",
    statistics,
    budget: "scheduled",
  },
  ranges: {
    // K from public knowledge of the models' size; one of these is within a factor of three.
    lambda: logRange(10, 0.01, 4),
    clip: [100, 10, 1],
  },
  compared: [],
  check: (options) => checkProjected("mp-group-sparse", options),
  halves: (options) =>
    projectedHalves({ rule: groupSparseRule, projection: diagonalProjection }, options),
  uploadNorm: ({ clip }) => plannedClip(clip),
  takes: rowsOfPrecision,
  make: (options) => new MpGroupSparse(options),
};

/**
 * Private group-sparse multi-task learning: each round the curator releases the noisy squared
 * norms of the features (the diagonal of W W^T) and every task shrinks the weak features.
 *
 * The guarantee is joint differential privacy (billboard lemma): the view of all other tasks together is
 * (epsilon, delta)-DP with respect to one task. Nothing protects a task from whoever holds its
 * own model. The clip bound K must come from public knowledge.
 *
 * @see Liang et al., "Model-Protected Multi-Task Learning", Algorithm 3.
 * @example const model = await new MpGroupSparse({ epsilon: 1, clip: 90, lambda: 3 }).fit(train);
 */
export class MpGroupSparse extends PrivateEstimator<GradientMethodOptions> {
  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(options?: Partial<GradientMethodOptions>) {
    super(mpGroupSparse, options);
  }
}
