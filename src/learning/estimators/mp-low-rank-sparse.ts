/**
 * Algorithm 4: private multi-task learning with a shared and an individual part.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { diagonalProjection, matrixProjection } from "../steps/projection.js";
import type { Halves } from "../round/halves.js";
import { groupSparseRule } from "../sharing/group-sparse.js";
import { lowRankRule } from "../sharing/low-rank.js";
import type { FitOptions } from "../round/estimator.js";
import { gradientHalves } from "../families/projected/gradient-method.js";
import { aNonNegative, aWord, checkOptions, withDefault } from "../options/check-options.js";
import { localPenaltyOf, partRules, type PartOptions } from "../convex/parts.js";
import { gradientMethodRules, type GradientMethodOptions } from "../options/private-options.js";
import { fitPrivate, type DividedEstimator } from "../release/fit-private.js";

/** Options of {@link MpLowRankSparse}; `lambda` is the weight of the shared part's penalty. */
export interface MpLowRankSparseOptions extends GradientMethodOptions, PartOptions {
  /** Weight of the local part's penalty, >= 0; default 0.1. */
  readonly lambda2: number;
  /** Q(0): "zeros" (default), or "initial": W(0), as the papers print, so the first model is 2 W(0). */
  readonly initialLocal: "zeros" | "initial";
}

const SHARED = {
  trace: { rule: lowRankRule, projection: matrixProjection },
  l21: { rule: groupSparseRule, projection: diagonalProjection },
} as const;

/**
 * Private learning of W = P + Q: the shared part P goes through the rounds of `MpLowRank` (or
 * `MpGroupSparse`), the individual part Q is penalised and kept by its task, and both step along
 * the gradient at their sum. Only the clipped p_i are ever shown, so Q costs no privacy; both parts
 * are in `model.components`. `stepSize: "auto"` is 1/(2L): the gradient in (P, Q) jointly is
 * 2L-Lipschitz.
 *
 * The guarantee is joint (billboard) privacy: the view of all other tasks together is
 * (epsilon, delta)-DP with respect to one task. Nothing protects a task from whoever holds its
 * own model. The clip bound K, of the p_i, must come from public knowledge.
 *
 * @see Liang et al., "Model-Protected Multi-Task Learning", Algorithm 4 and Remark 4; line 6 is read
 *   with this round's covariance, and Q(0) = 0.
 * @example
 * const model = await new MpLowRankSparse({ epsilon: 1, clip: 90, lambda: 3, lambda2: 1 }).fit(train);
 */
export class MpLowRankSparse implements DividedEstimator {
  readonly method = "mp-low-rank-sparse";
  readonly options: MpLowRankSparseOptions;
  readonly halves: Halves;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<MpLowRankSparseOptions>) {
    const checked = checkOptions<MpLowRankSparseOptions>(this.method, options, {
      ...gradientMethodRules,
      ...partRules,
      lambda2: withDefault(aNonNegative, 0.1),
      initialLocal: withDefault(aWord(["zeros", "initial"] as const), "zeros"),
    });
    this.options = checked;
    const definition = {
      ...SHARED[checked.sharedPenalty],
      local: localPenaltyOf(checked, checked.lambda2),
      localStartsAtInitial: checked.initialLocal === "initial",
    };
    this.halves = gradientHalves(definition, checked);
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
