/**
 * The mixed model without privacy.
 * @module
 */
import { mixedTakes } from "../families/mixed/rows-taken.js";
import type { TaskSet } from "../../data/index.js";
import { checkMixed, mixedOptions } from "../families/mixed/options.js";
import { fitWithoutNoise, noiselessBatches } from "../families/mixed/without-noise.js";
import { modelOf, noGuarantee } from "../fitted/build-model.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { commonOptions } from "../options/common-options.js";
import type { MethodDescriptor } from "../options/method.js";
import type { OptionsOf } from "../options/option.js";
import type { FitOptions } from "../round/estimator.js";
import { refuseWarmStart } from "../release/refuse-warm-start.js";
import { ConfiguredEstimator } from "../options/configured-estimator.js";
import { targetsOf } from "../tasks/targets.js";

const own = {
  ...commonOptions,
  /** "squared" (default) for numbers, "logistic" for two classes, "softmax" for several. */
  loss: mixedOptions.loss,
  /** Always there, a coordinate of the shared prior: true only. */
  intercept: mixedOptions.intercept,
  /**
   * Where the size of features and target is known from. "auto" (default): from declared ranges; of other columns it is learned
   * from all rows. "declared": such columns are refused. "unit": the caller says that all are of about unit size.
   */
  scale: {
    ...mixedOptions.scale,
    help: "auto: declared, or learned from all rows; declared: or refused; unit: all are of about unit size.",
  },
};

/** Options of {@link MixedModel}. */
export interface MixedModelOptions extends OptionsOf<typeof own> {}

export const mixedModel: MethodDescriptor<MixedModelOptions> = {
  name: "mixed-model",
  title: "Mixed model, not private",
  recommendedFor: "one owner holds all data, a table of grouped rows",
  options: own,
  releases: "everything, without noise",
  privacy: null,
  ranges: {},
  compared: ["squared", "logistic", "softmax"],
  check: checkMixed,
  takes: mixedTakes,
  batches: (options) => noiselessBatches(options),
  make: (options) => new MixedModel(options),
};

/**
 * The model of `MpMixed` from sums without noise, its non-private counterpart: the same steps, components and intervals, and
 * the reference to hold a private fit against. Every task's model depends on every other task's data, unprotected.
 *
 * @see Laird and Ware (1982), "Random-effects models for longitudinal data".
 * @example const model = await new MixedModel({ scale: "unit" }).fit(train);
 */
export class MixedModel extends ConfiguredEstimator<MixedModelOptions> {
  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<MixedModelOptions>) {
    super(mixedModel, options);
  }

  /** Fits all tasks. */
  async fit(given: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const data = this.rowsToFit(given, hooks);
    const { method, options } = this;
    refuseWarmStart(method, hooks);
    const { classes } = targetsOf(data, options.loss);
    const fit = await fitWithoutNoise(method, options, { data, classes }, hooks);
    const { objective, threads } = fit;
    const { components = {}, ...models } = fit.models;
    return modelOf(data, classes, models, {
      method,
      options,
      objective,
      components,
      threads,
      guarantee: noGuarantee(`${method} learns from all tasks' rows without noise`),
      ledger: null,
      certificate: null,
      rounds: 0,
      history: [],
    });
  }
}
