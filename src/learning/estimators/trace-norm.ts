/**
 * Non-private low-rank multi-task learning.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { traceNormPenalty } from "../convex/penalties/trace-norm.js";
import { commonRules, convergenceRules, type ConvergenceOptions } from "../options/common-rules.js";
import type { CommonOptions } from "../tasks/common-options.js";
import type { Estimator, FitOptions } from "../round/estimator.js";
import { aPositive, checkOptions, withDefault } from "../options/check-options.js";
import { fitPenalized } from "../convex/penalized.js";

/** Options of {@link TraceNorm}. */
export interface TraceNormOptions extends CommonOptions, ConvergenceOptions {
  /** Weight of the trace norm, > 0; default 0.1. */
  readonly lambda: number;
}

/**
 * min_W sum_i L_i(w_i) + lambda ||W||_*, run until the duality gap certifies the solution.
 *
 * The rounds of `MpLowRank` without noise: accelerated proximal gradient steps with restarts, or, for the
 * squared loss, exact local steps (Douglas-Rachford), in a small subspace of features where these are many.
 * Every task's model depends on every other task's data, unprotected.
 *
 * @see Ji and Ye (2009), "An accelerated gradient method for trace norm minimization".
 * @example const model = await new TraceNorm({ lambda: 0.1 }).fit(train);
 */
export class TraceNorm implements Estimator {
  readonly method = "trace-norm";
  readonly options: TraceNormOptions;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<TraceNormOptions>) {
    this.options = checkOptions<TraceNormOptions>(this.method, options, {
      ...commonRules,
      ...convergenceRules,
      lambda: withDefault(aPositive, 0.1),
    });
  }

  /** Fits all tasks; `model.certificate` says how far from the optimum the result can be. */
  fit(data: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const { method, options } = this;
    const { lambda } = options;
    const shared = traceNormPenalty(lambda);
    return fitPenalized(
      { method, shared, invertible: true, traceNorm: lambda },
      options,
      data,
      hooks,
    );
  }
}
