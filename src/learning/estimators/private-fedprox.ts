/**
 * Private FedProx: one model for all tasks, with a proximal term.
 * @module
 */
import { unitHalves } from "../families/averaging/records/record-halves.js";
import { averagingTakes } from "../families/averaging/rows-taken.js";
import {
  federatedOptions,
  proximalOptions,
  type FederatedOptions,
  type ProximalOptions,
} from "../families/averaging/options.js";
import {
  checkRecords,
  recordOptions,
  unitUploadNorm,
  type RecordOptions,
} from "../families/averaging/records/record-options.js";
import { logRange, type DividedMethod } from "../options/method.js";
import { PrivateEstimator } from "../release/private-estimator.js";

/** Options of {@link PrivateFedProx}. */
export interface PrivateFedProxOptions extends FederatedOptions, ProximalOptions, RecordOptions {}

export const privateFedProx: DividedMethod<PrivateFedProxOptions> = {
  name: "private-fedprox",
  title: "Private FedProx",
  recommendedFor: "the same, with unusual or few rows",
  options: { ...federatedOptions, ...proximalOptions, ...recordOptions },
  releases: "sum of clipped updates + noise",
  privacy: {
    unit: "task",
    statistics: ["vector"],
    budget: "scheduled",
  },
  ranges: { lambda: logRange(1, 0.01, 3), clip: [10, 1, 0.1] },
  compared: [],
  check: (options) =>
    checkRecords("private-fedprox", options, { lambda: options.lambda, steps: false }),
  halves: (options) =>
    unitHalves({ start: "global", lambda: options.lambda, update: "from-global" }, options),
  uploadNorm: unitUploadNorm,
  takes: averagingTakes,
  make: (options) => new PrivateFedProx(options),
};

/**
 * `PrivateFedAvg` with (lambda/2) ||w - w~||^2 added to every local objective, which keeps
 * participants with few or unusual rows near the shared model.
 *
 * @see Li, Sahu, Zaheer, Sanjabi, Talwalkar, Smith (2020), "Federated optimization in heterogeneous
 *   networks"; Hu, Wu, Smith (2023), baselines.
 * @example const model = await new PrivateFedProx({ epsilon: 2, lambda: 0.1 }).fit(train);
 */
export class PrivateFedProx extends PrivateEstimator<PrivateFedProxOptions> {
  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(options?: Partial<PrivateFedProxOptions>) {
    super(privateFedProx, options);
  }
}
