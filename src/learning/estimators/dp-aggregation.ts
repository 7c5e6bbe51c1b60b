/**
 * Baseline: the private average of locally trained models.
 * @module
 */
import { RECORDS_OF_ONE_WEIGHT } from "../options/rows-taken.js";
import type { TaskSet } from "../../data/index.js";
import {
  checkSlopeBound,
  recordLevelOptions,
  type RecordLevelOptions,
} from "../families/record-level/options.js";
import { fitRecordLevel } from "../families/record-level/fit.js";
import type { PrivateModel } from "../fitted/private-model.js";
import { logRange, type MethodDescriptor } from "../options/method.js";
import type { FitOptions } from "../round/estimator.js";
import { ConfiguredEstimator } from "../options/configured-estimator.js";

export const dpAggregation: MethodDescriptor<RecordLevelOptions> = {
  name: "dp-aggregation",
  title: "DP-AGGR, an average of models",
  recommendedFor: "a baseline that protects records",
  options: recordLevelOptions,
  releases: "the mean of all models + noise",
  privacy: {
    unit: "record",
    statistics: ["vector"],
    budget: "single",
  },
  ranges: { lambda: logRange(10, 0.01, 4), slopeBound: [10, 1] },
  compared: [],
  check: (options) => checkSlopeBound("dp-aggregation", options),
  takes: () => ({ weights: RECORDS_OF_ONE_WEIGHT, sparse: true }),
  make: (options) => new DpAggregation(options),
};

/**
 * DP-AGGR: every task trains an l2-regularised model alone, one noisy average of them is released,
 * and all tasks get it.
 *
 * It protects one record; the guarantee of a task is the lift to its n records by group privacy, so
 * noise grows with n = max n_i. With c_i of the loss scale, slopes within G and rows within B, one
 * changed record moves its task's model by at most 2 c_i G B / lambda, and the average by a part
 * 1/m of that.
 *
 * @see Pathak, Rane, Raj (2010), "Multiparty differential privacy via aggregation of locally trained
 *   classifiers"; Liang et al., Proposition 3.
 * @example const model = await new DpAggregation({ epsilon: 1, lambda: 0.1, slopeBound: 20 }).fit(train);
 */
export class DpAggregation extends ConfiguredEstimator<RecordLevelOptions> {
  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<RecordLevelOptions>) {
    super(dpAggregation, options);
  }

  /**
   * Trains, averages and releases once.
   * @throws DataError if a row is longer than `featureBound`.
   */
  fit(given: TaskSet, hooks: FitOptions = {}): Promise<PrivateModel> {
    const data = this.rowsToFit(given, hooks);
    const { method, options } = this;
    const { lambda } = options;
    const definition = { method, options, strongConvexity: lambda, rounds: 1 } as const;
    return fitRecordLevel({ ...definition, released: "average" }, data, hooks);
  }
}
