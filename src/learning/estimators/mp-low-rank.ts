/**
 * Algorithm 2: private low-rank multi-task learning.
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
import { lowRankRule } from "../sharing/low-rank.js";
import { matrixProjection } from "../steps/projection.js";
import { PrivateEstimator } from "../release/private-estimator.js";

/** What is released. */
const statistics: readonly Statistic[] = ["covariance"];

export const mpLowRank: DividedMethod<GradientMethodOptions> = {
  name: "mp-low-rank",
  title: "Algorithm 2, low rank",
  recommendedFor: "to reproduce the paper; large eps",
  options: { ...gradientOptions, mechanism: mechanismFor(statistics) },
  releases: "W W^T + noise",
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
  compared: ["squared", "logistic"],
  simulationsOnly: true,
  check: (options) => checkProjected("mp-low-rank", options),
  halves: (options) =>
    projectedHalves({ rule: lowRankRule, projection: matrixProjection }, options),
  uploadNorm: ({ clip }) => plannedClip(clip),
  takes: rowsOfPrecision,
  make: (options) => new MpLowRank(options),
};

/**
 * Private low-rank multi-task learning: each round the curator releases the noisy covariance
 * W W^T of the clipped models and every task shrinks its model along the weak directions.
 *
 * The guarantee is joint differential privacy (billboard lemma): the view of all other tasks together is
 * (epsilon, delta)-DP with respect to one task. Nothing protects a task from whoever holds its
 * own model. The clip bound K must come from public knowledge.
 *
 * @see Liang et al., "Model-Protected Multi-Task Learning", Algorithm 2.
 * @example const model = await new MpLowRank({ epsilon: 1, clip: 90, lambda: 3 }).fit(train);
 */
export class MpLowRank extends PrivateEstimator<GradientMethodOptions> {
  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(options?: Partial<GradientMethodOptions>) {
    super(mpLowRank, options);
  }
}
