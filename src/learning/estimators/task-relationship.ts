/**
 * Non-private multi-task relationship learning.
 * @module
 */
import { ANY_ROWS } from "../options/rows-taken.js";
import type { TaskSet } from "../../data/index.js";
import { fitPenalized } from "../convex/penalized.js";
import { jointBatches } from "../convex/joint-batches.js";
import { squaredTraceNormPenalty } from "../convex/penalties/squared-trace-norm.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import type { Component } from "../fitted/model-state.js";
import { taskRelationship } from "../fitted/relationship.js";
import {
  commonOptions,
  convergenceOptions,
  type ConvergenceOptions,
} from "../options/common-options.js";
import { aNonNegative, aPositive } from "../options/kinds.js";
import { logRange, type MethodDescriptor } from "../options/method.js";
import { option, type OptionsOf } from "../options/option.js";
import type { FitOptions } from "../round/estimator.js";
import type { CommonOptions } from "../tasks/common-options.js";
import { ConfiguredEstimator } from "../options/configured-estimator.js";

const own = {
  /** lambda1 >= 0, half of which weighs ||W||_F^2; default 0.1. */
  lambda: option(aNonNegative, {
    group: "model",
    help: "Twice the weight of ||W||_F^2.",
    default: 0.1,
  }),
  /** lambda2 > 0, half of which weighs tr(W Omega^-1 W^T); default 0.1. */
  lambda2: option(aPositive, {
    group: "model",
    help: "Twice the weight of tr(W Omega^-1 W^T).",
    default: 0.1,
  }),
};

/** Options of {@link TaskRelationship}. */
export interface TaskRelationshipOptions
  extends CommonOptions, ConvergenceOptions, OptionsOf<typeof own> {}

const penaltiesOf = ({ lambda, lambda2 }: TaskRelationshipOptions) => ({
  shared: squaredTraceNormPenalty(lambda, lambda2),
});

export const taskRelationshipLearning: MethodDescriptor<TaskRelationshipOptions> = {
  name: "task-relationship",
  title: "Task relationship learning, not private",
  recommendedFor: "one owner holds all data, and tasks are related by signs and strengths",
  options: { ...commonOptions, ...convergenceOptions, ...own },
  releases: "everything, without noise",
  privacy: null,
  ranges: { lambda: logRange(0.1, 1e-4, 4), lambda2: logRange(0.01, 1e-5, 4) },
  compared: [],
  takes: () => ANY_ROWS,
  batches: (options) =>
    jointBatches({ ...penaltiesOf(options), strength: options.lambda, options }),
  make: (options) => new TaskRelationship(options),
};

/**
 * min over W and Omega >= 0, tr Omega = 1 of
 * sum_i L_i(w_i) + (lambda/2) ||W||_F^2 + (lambda2/2) tr(W Omega^-1 W^T).
 *
 * Omega, [m, m], says how tasks are related (sign and strength) and is in
 * `model.components.taskRelationship`, found when its data are first read. The minimum over Omega is (lambda2/2) ||W||_*^2, so instead of
 * alternating, which stalls as Omega loses rank, W is found by the shared rounds with that
 * penalty's proximal step, to a duality gap; Omega = (W^T W)^(1/2) / tr of it follows.
 * Every task's model depends on every other task's data, unprotected.
 *
 * @see Zhang and Yeung (2010), "A convex formulation for learning task relationships".
 * @example const model = await new TaskRelationship({ lambda: 0.01, lambda2: 0.01 }).fit(train);
 */
export class TaskRelationship extends ConfiguredEstimator<TaskRelationshipOptions> {
  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<TaskRelationshipOptions>) {
    super(taskRelationshipLearning, options);
  }

  /** Fits all tasks; `model.certificate` says how far from the optimum the result can be. */
  async fit(given: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const data = this.rowsToFit(given, hooks);
    const { method, options } = this;
    const penalized = { method, ...penaltiesOf(options), strength: options.lambda };
    const model = await fitPenalized(penalized, options, data, hooks);
    return model.withComponents({ taskRelationship: relationshipOf(model) });
  }
}

/** Omega, found when first asked for: m^2 numbers take a fit's own thread longer than some rounds, and many a caller never reads them. */
function relationshipOf({ weights, m, d }: FittedModel): Component {
  let found: Float64Array | undefined;
  return {
    shape: [m, m],
    get data() {
      return (found ??= taskRelationship(weights, m, d));
    },
  };
}
