/**
 * Algorithm 2: private low-rank multi-task learning.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { matrixProjection } from "../steps/projection.js";
import type { Halves } from "../round/halves.js";
import { lowRankRule } from "../sharing/low-rank.js";
import type { FitOptions } from "../round/estimator.js";
import { gradientHalves } from "../families/projected/gradient-method.js";
import { checkOptions } from "../options/check-options.js";
import { gradientMethodRules, type GradientMethodOptions } from "../options/private-options.js";
import { fitPrivate, type DividedEstimator } from "../release/fit-private.js";

/**
 * Private low-rank multi-task learning: each round the curator releases the noisy covariance
 * W W^T of the clipped models and every task shrinks its model along the weak directions.
 *
 * The guarantee is joint (billboard) privacy: the view of all other tasks together is
 * (epsilon, delta)-DP with respect to one task. Nothing protects a task from whoever holds its
 * own model. The clip bound K must come from public knowledge.
 *
 * @see Liang et al., "Model-Protected Multi-Task Learning", Algorithm 2.
 * @example const model = await new MpLowRank({ epsilon: 1, clip: 90, lambda: 3 }).fit(train);
 */
export class MpLowRank implements DividedEstimator {
  readonly method = "mp-low-rank";
  readonly options: GradientMethodOptions;
  readonly halves: Halves;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<GradientMethodOptions>) {
    this.options = checkOptions(this.method, options, gradientMethodRules);
    this.halves = gradientHalves({ rule: lowRankRule, projection: matrixProjection }, this.options);
  }

  /**
   * Fits all tasks in T private rounds.
   * @throws DataError if a row is longer than `featureBound`; BudgetExceededError before any release
   *   if the budget allows no noise.
   */
  fit(data: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    return fitPrivate(this, data, hooks);
  }
}
