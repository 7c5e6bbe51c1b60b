/**
 * Algorithm 3: private group-sparse multi-task learning.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { diagonalProjection } from "../steps/projection.js";
import type { Halves } from "../round/halves.js";
import { groupSparseRule } from "../sharing/group-sparse.js";
import type { FitOptions } from "../round/estimator.js";
import { gradientHalves } from "../families/projected/gradient-method.js";
import { checkOptions } from "../options/check-options.js";
import { gradientMethodRules, type GradientMethodOptions } from "../options/private-options.js";
import { fitPrivate, type DividedEstimator } from "../release/fit-private.js";

/**
 * Private group-sparse multi-task learning: each round the curator releases the noisy squared
 * norms of the features (the diagonal of W W^T) and every task shrinks the weak features.
 *
 * The guarantee is joint (billboard) privacy: the view of all other tasks together is
 * (epsilon, delta)-DP with respect to one task. Nothing protects a task from whoever holds its
 * own model. The clip bound K must come from public knowledge.
 *
 * @see Liang et al., "Model-Protected Multi-Task Learning", Algorithm 3.
 * @example const model = await new MpGroupSparse({ epsilon: 1, clip: 90, lambda: 3 }).fit(train);
 */
export class MpGroupSparse implements DividedEstimator {
  readonly method = "mp-group-sparse";
  readonly options: GradientMethodOptions;
  readonly halves: Halves;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<GradientMethodOptions>) {
    this.options = checkOptions(this.method, options, gradientMethodRules);
    this.halves = gradientHalves(
      { rule: groupSparseRule, projection: diagonalProjection },
      this.options,
    );
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
