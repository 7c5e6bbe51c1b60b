/**
 * Non-private multi-task learning with a shared and an individual part.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted-model.js";
import { columnPenalty, frobeniusPenalty, l1Penalty } from "../penalties/local.js";
import { groupSparsePenalty } from "../penalties/group-sparse.js";
import type { LocalPenalty, MakePenalty, SharedPenalty } from "../penalties/penalty.js";
import { traceNormPenalty } from "../penalties/trace-norm.js";
import { commonRules, convergenceRules, type ConvergenceOptions } from "./common-rules.js";
import type { CommonOptions, Estimator, FitOptions } from "./estimator.js";
import { aPositive, aWord, checkOptions, withDefault, type OptionRules } from "./options.js";
import { fitPenalized } from "./penalized.js";

/** Remark 4's choices for the two parts of W = P + Q. */
export interface PartOptions {
  /** Of P: "trace" (default), ||P||_*, or "l21", sum over features of the row norms. */
  readonly sharedPenalty: "trace" | "l21";
  /**
   * Of Q: "l1" (default), ||Q||_1; "l12", sum over tasks of ||q_i||_2, for outlier tasks; or
   * "frobenius", ||Q||_F^2.
   */
  readonly localPenalty: "l1" | "l12" | "frobenius";
}

/** Options of {@link LowRankSparse}. */
export interface LowRankSparseOptions extends CommonOptions, ConvergenceOptions, PartOptions {
  /** Weight of the shared part's penalty, > 0; default 0.1. */
  readonly lambda: number;
  /** Weight of the local part's penalty, > 0; default 0.1. */
  readonly lambda2: number;
}

export const partRules: OptionRules<PartOptions> = {
  sharedPenalty: withDefault(aWord(["trace", "l21"] as const), "trace"),
  localPenalty: withDefault(aWord(["l1", "l12", "frobenius"] as const), "l1"),
};

const SHARED: Record<PartOptions["sharedPenalty"], (l: number) => MakePenalty<SharedPenalty>> = {
  trace: traceNormPenalty,
  l21: groupSparsePenalty,
};
export const LOCAL: Record<PartOptions["localPenalty"], (l: number) => MakePenalty<LocalPenalty>> =
  { l1: l1Penalty, l12: columnPenalty, frobenius: frobeniusPenalty };

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
    const { lambda, lambda2, sharedPenalty, localPenalty } = options;
    const shared = SHARED[sharedPenalty](lambda);
    const local = LOCAL[localPenalty](lambda2);
    return fitPenalized({ method, shared, local }, options, data, hooks);
  }
}
