/**
 * Private FedAvg: one model for all tasks.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import type { Halves } from "../round/halves.js";
import type { FitOptions } from "../round/estimator.js";
import { federatedHalves } from "../families/averaging/federated-method.js";
import {
  checkFederated,
  federatedRules,
  type FederatedOptions,
} from "../families/averaging/federated-options.js";
import { checkOptions } from "../options/check-options.js";
import { fitPrivate, type DividedEstimator } from "../release/fit-private.js";

/**
 * One global model in T private rounds: each participant takes local steps from w~ and sends its
 * clipped update, the curator moves w~ by the noisy mean. Every task gets w~, or with `finetune` a
 * model of its own that starts from it; where that is clearly worse than learning alone on its own
 * held-out rows, `safeguard` leaves it its single-task model.
 *
 * The releases and their guarantee are those of `Pmtl`. With finetuning "mean-regularized" and the
 * like it is the paper's two-stage baseline.
 *
 * @see McMahan, Ramage, Talwar, Zhang (2018), "Learning differentially private recurrent language
 *   models", with the tasks as users; Hu, Wu, Smith (2023), baselines.
 * @example const model = await new PrivateFedAvg({ epsilon: 2, rounds: 20 }).fit(train);
 */
export class PrivateFedAvg implements DividedEstimator {
  readonly method = "private-fedavg";
  readonly options: FederatedOptions;
  readonly halves: Halves;

  /** @throws OptionError naming every bad option, or options that no theorem covers together. */
  constructor(options?: Partial<FederatedOptions>) {
    const checked = checkOptions(this.method, options, federatedRules);
    this.options = checkFederated(this.method, checked, 0);
    this.halves = federatedHalves(
      { start: "global", lambda: 0, update: "from-global" },
      this.options,
    );
  }

  /**
   * Fits all tasks in T private rounds.
   * @throws BudgetExceededError or RangeError before any release if the budget allows no noise.
   */
  fit(data: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    return fitPrivate(this, data, hooks);
  }
}
