/**
 * Non-private mean-regularised multi-task learning.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { newtonOnTheMean } from "../convex/mean/newton.js";
import { commonRules, convergenceRules, type ConvergenceOptions } from "../options/common-rules.js";
import { fittedModel, noGuarantee } from "../fitted/build-model.js";
import type { CommonOptions } from "../tasks/common-options.js";
import type { Estimator, FitOptions } from "../round/estimator.js";
import { aPositive, checkOptions, withDefault } from "../options/check-options.js";
import { startOf } from "../convex/warm-start.js";
import { placeWithinRange } from "../convex/within-range.js";

/** Options of {@link MeanRegularized}. */
export interface MeanRegularizedOptions extends CommonOptions, ConvergenceOptions {
  /** Weight of the tasks' distance from their mean, > 0; default 0.1. */
  readonly lambda: number;
}

/**
 * min_W sum_i L_i(w_i) + lambda ||W - w_bar 1^T||_F^2, w_bar the mean of the tasks' models: tasks
 * are alike.
 *
 * Solved by Newton's method on the mean with every task eliminated exactly, which for the squared
 * loss is one step. Where the rows of all tasks together do not determine the mean, the one of
 * least norm is taken. Every task's model depends on every other task's data, unprotected; `Pmtl` is
 * the private twin.
 *
 * @see Evgeniou and Pontil (2004), "Regularized multi-task learning".
 * @example const model = await new MeanRegularized({ lambda: 0.1 }).fit(train);
 */
export class MeanRegularized implements Estimator {
  readonly method = "mean-regularized";
  readonly options: MeanRegularizedOptions;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<MeanRegularizedOptions>) {
    this.options = checkOptions<MeanRegularizedOptions>(this.method, options, {
      ...commonRules,
      ...convergenceRules,
      lambda: withDefault(aPositive, 0.1),
    });
  }

  /** Fits all tasks; `model.certificate` says how far from the optimum the result can be. */
  async fit(data: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const placed = placeWithinRange(data, this.options);
    const start = startOf(this.method, data, hooks);
    const solution = await newtonOnTheMean(placed.tasks, this.options, start.weights, hooks);
    return fittedModel(data, placed, solution, {
      method: this.method,
      options: this.options,
      guarantee: noGuarantee("mean-regularized learns from all tasks' models without noise"),
      ledger: null,
      ...solution,
    });
  }
}
