/**
 * Non-private multi-task relationship learning.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { squaredTraceNormPenalty } from "../convex/penalties/squared-trace-norm.js";
import { taskRelationship } from "../fitted/relationship.js";
import { commonRules, convergenceRules, type ConvergenceOptions } from "../options/common-rules.js";
import type { CommonOptions } from "../tasks/common-options.js";
import type { Estimator, FitOptions } from "../round/estimator.js";
import { aNonNegative, aPositive, checkOptions, withDefault } from "../options/check-options.js";
import { fitPenalized } from "../convex/penalized.js";

/** Options of {@link TaskRelationship}. */
export interface TaskRelationshipOptions extends CommonOptions, ConvergenceOptions {
  /** lambda1 >= 0, half of which weighs ||W||_F^2; default 0.1. */
  readonly lambda: number;
  /** lambda2 > 0, half of which weighs tr(W Omega^-1 W^T); default 0.1. */
  readonly lambda2: number;
}

/**
 * min over W and Omega >= 0, tr Omega = 1 of
 * sum_i L_i(w_i) + (lambda/2) ||W||_F^2 + (lambda2/2) tr(W Omega^-1 W^T).
 *
 * Omega, [m, m], says how tasks are related (sign and strength) and is in
 * `model.components.taskRelationship`. The minimum over Omega is (lambda2/2) ||W||_*^2, so instead of
 * alternating, which stalls as Omega loses rank, W is found by the shared rounds with that
 * penalty's proximal step, to a duality gap; Omega = (W^T W)^(1/2) / tr of it follows.
 * Every task's model depends on every other task's data, unprotected.
 *
 * @see Zhang and Yeung (2010), "A convex formulation for learning task relationships".
 * @example const model = await new TaskRelationship({ lambda: 0.01, lambda2: 0.01 }).fit(train);
 */
export class TaskRelationship implements Estimator {
  readonly method = "task-relationship";
  readonly options: TaskRelationshipOptions;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<TaskRelationshipOptions>) {
    this.options = checkOptions<TaskRelationshipOptions>(this.method, options, {
      ...commonRules,
      ...convergenceRules,
      lambda: withDefault(aNonNegative, 0.1),
      lambda2: withDefault(aPositive, 0.1),
    });
  }

  /** Fits all tasks; `model.certificate` says how far from the optimum the result can be. */
  async fit(data: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const { method, options } = this;
    const shared = squaredTraceNormPenalty(options.lambda, options.lambda2);
    const model = await fitPenalized({ method, shared, invertible: true }, options, data, hooks);
    const { m, d, weights } = model;
    const components = {
      taskRelationship: { shape: [m, m], data: taskRelationship(weights, m, d) },
    };
    return model.withComponents(components);
  }
}
