/**
 * Private FedAvg: one model for all tasks.
 * @module
 */
import { unitHalves } from "../families/averaging/records/record-halves.js";
import { averagingTakes } from "../families/averaging/rows-taken.js";
import { federatedOptions, type FederatedOptions } from "../families/averaging/options.js";
import {
  checkRecords,
  recordOptions,
  unitUploadNorm,
  type RecordOptions,
} from "../families/averaging/records/record-options.js";
import type { DividedMethod } from "../options/method.js";
import { PrivateEstimator } from "../release/private-estimator.js";

/** Options of {@link PrivateFedAvg}. */
export interface PrivateFedAvgOptions extends FederatedOptions, RecordOptions {}

export const privateFedAvg: DividedMethod<PrivateFedAvgOptions> = {
  name: "private-fedavg",
  title: "Private federated averaging",
  recommendedFor: "one model for all tasks; a baseline",
  options: { ...federatedOptions, ...recordOptions },
  releases: "sum of clipped updates + noise",
  privacy: {
    unit: "task",
    statistics: ["vector"],
    budget: "scheduled",
  },
  ranges: { clip: [10, 1, 0.1], rounds: [5, 20] },
  compared: ["softmax"],
  check: (options) => checkRecords("private-fedavg", options, { lambda: 0, steps: false }),
  halves: (options) => unitHalves({ start: "global", lambda: 0, update: "from-global" }, options),
  uploadNorm: unitUploadNorm,
  takes: averagingTakes,
  make: (options) => new PrivateFedAvg(options),
};

/**
 * One global model in T private rounds: each participant takes local steps from w~ and sends its
 * clipped update, the curator moves w~ by the noisy mean. Every task gets w~, or with `finetune` a
 * model of its own that starts from it; where that is clearly worse than learning alone on its own
 * held-out rows, `safeguard` leaves it its single-task model.
 *
 * With `unit: "record"` it is DP-SGD on the rows of all tasks, w~ having an intercept too: with `ownModel: "noisy"` w~ is every
 * task's model, and protects each record from whoever has it.
 *
 * The releases and their guarantee are those of `Pmtl`. With finetuning "mean-regularized" and the
 * like it is the paper's two-stage baseline.
 *
 * @see McMahan, Ramage, Talwar, Zhang (2018), "Learning differentially private recurrent language
 *   models", with the tasks as users; Hu, Wu, Smith (2023), baselines.
 * @example const model = await new PrivateFedAvg({ epsilon: 2, rounds: 20 }).fit(train);
 */
export class PrivateFedAvg extends PrivateEstimator<PrivateFedAvgOptions> {
  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(options?: Partial<PrivateFedAvgOptions>) {
    super(privateFedAvg, options);
  }
}
