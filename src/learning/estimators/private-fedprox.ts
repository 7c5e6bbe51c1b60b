/**
 * Private FedProx: one model for all tasks, with a proximal term.
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
  proximalRules,
  type FederatedOptions,
  type ProximalOptions,
} from "../families/averaging/federated-options.js";
import { checkOptions } from "../options/check-options.js";
import { fitPrivate, type DividedEstimator } from "../release/fit-private.js";

/** Options of {@link PrivateFedProx}. */
export interface PrivateFedProxOptions extends FederatedOptions, ProximalOptions {}

/**
 * `PrivateFedAvg` with (lambda/2) ||w - w~||^2 added to every local objective, which keeps
 * participants with few or unusual rows near the shared model.
 *
 * @see Li, Sahu, Zaheer, Sanjabi, Talwalkar, Smith (2020), "Federated optimization in heterogeneous
 *   networks"; Hu, Wu, Smith (2023), baselines.
 * @example const model = await new PrivateFedProx({ epsilon: 2, lambda: 0.1 }).fit(train);
 */
export class PrivateFedProx implements DividedEstimator {
  readonly method = "private-fedprox";
  readonly options: PrivateFedProxOptions;
  readonly halves: Halves;

  /** @throws OptionError naming every bad option, or options that no theorem covers together. */
  constructor(options?: Partial<PrivateFedProxOptions>) {
    const rules = { ...federatedRules, ...proximalRules };
    const checked = checkOptions<PrivateFedProxOptions>(this.method, options, rules);
    this.options = checkFederated(this.method, checked, checked.lambda);
    this.halves = federatedHalves(
      { start: "global", lambda: checked.lambda, update: "from-global" },
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
