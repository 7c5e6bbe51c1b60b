/**
 * Non-private low-rank multi-task learning.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted-model.js";
import { traceNormPenalty } from "../penalties/trace-norm.js";
import { commonRules, convergenceRules, type ConvergenceOptions } from "./common-rules.js";
import type { CommonOptions, Estimator, FitOptions } from "./estimator.js";
import { aPositive, checkOptions, withDefault } from "./options.js";
import { fitPenalized } from "./penalized.js";

/** Options of {@link TraceNorm}. */
export interface TraceNormOptions extends CommonOptions, ConvergenceOptions {
  /** Weight of the trace norm, > 0; default 0.1. */
  readonly lambda: number;
}

/**
 * min_W sum_i L_i(w_i) + lambda ||W||_*, by accelerated proximal gradient with restarts.
 *
 * The same rounds as `MpLowRank` without noise, run until the duality gap certifies the solution.
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
    return fitPenalized({ method, shared: traceNormPenalty(options.lambda) }, options, data, hooks);
  }
}
