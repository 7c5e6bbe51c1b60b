/**
 * Non-private mean-regularised multi-task learning.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import { meanBatches } from "../convex/mean/batches.js";
import { fitOnTheMean } from "../convex/mean/fit.js";
import { warmStartOf } from "../convex/warm-start.js";
import { noGuarantee } from "../fitted/build-model.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import {
  commonOptions,
  convergenceOptions,
  type ConvergenceOptions,
} from "../options/common-options.js";
import { aPositive } from "../options/kinds.js";
import { logRange, type MethodDescriptor } from "../options/method.js";
import { option, type OptionsOf } from "../options/option.js";
import { ANY_ROWS } from "../options/rows-taken.js";
import type { FitOptions } from "../round/estimator.js";
import type { CommonOptions } from "../tasks/common-options.js";
import { ConfiguredEstimator } from "../options/configured-estimator.js";

const own = {
  /** Weight of the tasks' distance from their mean, > 0; default 0.1. */
  lambda: option(aPositive, {
    group: "model",
    help: "Weight of the tasks' distance from their mean.",
    default: 0.1,
  }),
};

/** Options of {@link MeanRegularized}. */
export interface MeanRegularizedOptions
  extends CommonOptions, ConvergenceOptions, OptionsOf<typeof own> {}

export const meanRegularized: MethodDescriptor<MeanRegularizedOptions> = {
  name: "mean-regularized",
  title: "Mean-regularized learning, not private",
  recommendedFor: "one owner holds all data, and tasks are alike",
  options: { ...commonOptions, ...convergenceOptions, ...own },
  releases: "everything, without noise",
  privacy: null,
  ranges: { lambda: logRange(1, 1e-4, 5) },
  compared: [],
  takes: () => ANY_ROWS,
  batches: (options) => meanBatches(options),
  make: (options) => new MeanRegularized(options),
};

/**
 * min_W sum_i L_i(w_i) + lambda ||W - w_bar 1^T||_F^2, w_bar the mean of the tasks' models: tasks
 * are alike.
 *
 * Solved by Newton's method on the mean with every task eliminated exactly, which for the squared
 * loss is one step; with sparse rows a step is found by conjugate gradients, and a task costs what the columns cost that it uses. Where the rows of all tasks together do not determine the mean, the one of
 * least norm is taken. Every task's model depends on every other task's data, unprotected; `Pmtl` is
 * the private counterpart.
 *
 * @see Evgeniou and Pontil (2004), "Regularized multi-task learning".
 * @example const model = await new MeanRegularized({ lambda: 0.1 }).fit(train);
 */
export class MeanRegularized extends ConfiguredEstimator<MeanRegularizedOptions> {
  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<MeanRegularizedOptions>) {
    super(meanRegularized, options);
  }

  /** Fits all tasks; `model.certificate` says how far from the optimum the result can be. */
  async fit(given: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const data = this.rowsToFit(given, hooks);
    const { method, options } = this;
    const guarantee = noGuarantee("mean-regularized learns from all tasks' models without noise");
    const start = warmStartOf(method, data, hooks)?.weights ?? null;
    return fitOnTheMean({ method, guarantee, options }, data, start, hooks);
  }
}
