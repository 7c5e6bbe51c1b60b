/**
 * One regression for all tasks, without privacy.
 * @module
 */
import { relativeWeights, TaskSet } from "../../data/index.js";
import { modelOf, noGuarantee } from "../fitted/build-model.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { anyLoss, commonOptions } from "../options/common-options.js";
import { ANY_ROWS } from "../options/rows-taken.js";
import type { MethodDescriptor } from "../options/method.js";
import type { OptionsOf } from "../options/option.js";
import { refuseWarmStart } from "../release/refuse-warm-start.js";
import type { FitOptions } from "../round/estimator.js";
import { ConfiguredEstimator } from "../options/configured-estimator.js";
import { SingleTask } from "./single-task.js";

const own = {
  ...commonOptions,
  /** "squared" (default) for numbers, "logistic" for two classes, "softmax" for several. */
  loss: anyLoss,
};

/** Options of {@link Pooled}. */
export interface PooledOptions extends OptionsOf<typeof own> {}

export const pooled: MethodDescriptor<PooledOptions> = {
  name: "pooled",
  title: "One regression for all, not private",
  recommendedFor: "one owner holds all data, and tasks do not differ",
  options: own,
  releases: "everything, without noise",
  privacy: null,
  ranges: {},
  compared: ["squared", "logistic", "softmax"],
  takes: () => ANY_ROWS,
  make: (options) => new Pooled(options),
};

/** Weight of softmax regression's penalty for one task alone; all rows together have the same prior. */
const SOFTMAX_LAMBDA = 0.1;

/**
 * All rows as if they were one task's: one model, which every task gets (complete pooling). It is the model of
 * `SingleTask` of those rows, its penalty averaged over by their evidence. Every task's model depends on every other
 * task's data, unprotected.
 *
 * @example const model = await new Pooled().fit(train);
 */
export class Pooled extends ConfiguredEstimator<PooledOptions> {
  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<PooledOptions>) {
    super(pooled, options);
  }

  /** Fits the one model. */
  async fit(given: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const data = this.rowsToFit(given, hooks);
    const { method, options } = this;
    refuseWarmStart(method, hooks);
    hooks.signal?.throwIfAborted();
    const { m, size } = data;
    const all = TaskSet.adopt({
      ...data.arrays(),
      persons: undefined,
      sampleWeights: relativeWeights(data),
      offsets: Uint32Array.of(0, size),
      names: ["all tasks"],
    });
    const lambda = options.loss === "softmax" ? SOFTMAX_LAMBDA / m : "auto";
    const one = await new SingleTask({ ...options, lambda }).fit(all, hooks);
    const forAll = (own: Float64Array) =>
      Float64Array.from({ length: m * own.length }, (_, at) => own[at % own.length]!);
    const models = {
      weights: forAll(one.weights),
      intercepts: one.intercepts && forAll(one.intercepts),
    };
    return modelOf(data, one.classes, models, {
      method,
      options,
      objective: one.objective,
      certificate: one.certificate,
      guarantee: noGuarantee(`${method} is one model of all tasks' rows, without noise`),
      ledger: null,
      rounds: one.rounds,
      history: [],
    });
  }
}
