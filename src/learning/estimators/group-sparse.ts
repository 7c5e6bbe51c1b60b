/**
 * Non-private group-sparse multi-task learning.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { groupSparsePenalty } from "../convex/penalties/group-sparse.js";
import { commonRules, convergenceRules, type ConvergenceOptions } from "../options/common-rules.js";
import type { CommonOptions } from "../tasks/common-options.js";
import type { Estimator, FitOptions } from "../round/estimator.js";
import { aPositive, checkOptions, withDefault } from "../options/check-options.js";
import { fitPenalized } from "../convex/penalized.js";

/** Options of {@link GroupSparse}. */
export interface GroupSparseOptions extends CommonOptions, ConvergenceOptions {
  /** Weight of the l2,1 norm, > 0; default 0.1. */
  readonly lambda: number;
}

/**
 * min_W sum_i L_i(w_i) + lambda sum_j ||row j of W||_2: tasks agree on which features matter.
 *
 * The same rounds as `MpGroupSparse` without noise, run until the duality gap certifies the
 * solution. Every task's model depends on every other task's data, unprotected.
 *
 * @see Liu, Ji, Ye (2009), "Multi-task feature learning via efficient l2,1-norm minimization".
 * @example const model = await new GroupSparse({ lambda: 0.1 }).fit(train);
 */
export class GroupSparse implements Estimator {
  readonly method = "group-sparse";
  readonly options: GroupSparseOptions;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<GroupSparseOptions>) {
    this.options = checkOptions<GroupSparseOptions>(this.method, options, {
      ...commonRules,
      ...convergenceRules,
      lambda: withDefault(aPositive, 0.1),
    });
  }

  /** Fits all tasks; `model.certificate` says how far from the optimum the result can be. */
  fit(data: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const { method, options } = this;
    return fitPenalized(
      { method, shared: groupSparsePenalty(options.lambda) },
      options,
      data,
      hooks,
    );
  }
}
