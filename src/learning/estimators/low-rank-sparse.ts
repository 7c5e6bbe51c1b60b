/**
 * Non-private multi-task learning with a shared and an individual part.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { groupSparsePenalty } from "../convex/penalties/group-sparse.js";
import { traceNormPenalty } from "../convex/penalties/trace-norm.js";
import { commonRules, convergenceRules, type ConvergenceOptions } from "../options/common-rules.js";
import type { CommonOptions } from "../tasks/common-options.js";
import type { Estimator, FitOptions } from "../round/estimator.js";
import { aPositive, checkOptions, withDefault } from "../options/check-options.js";
import { localPenaltyOf, partRules, type PartOptions } from "../convex/parts.js";
import { fitPenalized } from "../convex/penalized.js";

/** Options of {@link LowRankSparse}. */
export interface LowRankSparseOptions extends CommonOptions, ConvergenceOptions, PartOptions {
  /** Weight of the shared part's penalty, > 0; default 0.1. */
  readonly lambda: number;
  /** Weight of the local part's penalty, > 0; default 0.1. */
  readonly lambda2: number;
}

const SHARED = { trace: traceNormPenalty, l21: groupSparsePenalty } as const;

/**
 * min over W = P + Q of sum_i L_i(p_i + q_i) + lambda ||P||_* + lambda2 ||Q||_1, and Remark 4's
 * variants: what the tasks share is of low rank (or few features), what is each task's own is
 * sparse (or a few tasks' only, or small).
 *
 * The same rounds as `MpLowRankSparse` without noise, run until the duality gap certifies P + Q;
 * both parts are in `model.components`. Every task's model depends on every other task's data,
 * unprotected.
 *
 * @see Liang et al., "Model-Protected Multi-Task Learning", Algorithm 4 and Remark 4; Chen, Zhou, Ye
 *   (2011), "Integrating low-rank and group-sparse structures for robust multi-task learning".
 * @example const model = await new LowRankSparse({ lambda: 0.1, lambda2: 0.01 }).fit(train);
 */
export class LowRankSparse implements Estimator {
  readonly method = "low-rank-sparse";
  readonly options: LowRankSparseOptions;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<LowRankSparseOptions>) {
    this.options = checkOptions<LowRankSparseOptions>(this.method, options, {
      ...commonRules,
      ...convergenceRules,
      ...partRules,
      lambda: withDefault(aPositive, 0.1),
      lambda2: withDefault(aPositive, 0.1),
    });
  }

  /** Fits all tasks; `model.certificate` says how far from the optimum the result can be. */
  fit(data: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const { method, options } = this;
    const { lambda, lambda2, sharedPenalty } = options;
    const shared = SHARED[sharedPenalty](lambda);
    const local = localPenaltyOf(options, lambda2);
    return fitPenalized({ method, shared, local }, options, data, hooks);
  }
}
