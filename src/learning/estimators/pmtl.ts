/**
 * PMTL: private mean-regularised multi-task learning.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import type { UpdateForm } from "../families/averaging/federated-steps.js";
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
import { aWord, checkOptions, withDefault } from "../options/check-options.js";
import { fitPrivate, type DividedEstimator } from "../release/fit-private.js";

/** Options of {@link Pmtl}. */
export interface PmtlOptions extends FederatedOptions, ProximalOptions {
  /**
   * What a task's update is relative to. "from-global" (default): w_k - w~, so that the mean corrects
   * the noise of earlier rounds (the authors' program). "from-local": w_k(new) - w_k(old) (the
   * paper's text), where the noise in w~ is never corrected.
   */
  readonly update: UpdateForm;
}

/**
 * min (1/m) sum_k { L_k(w_k) + (lambda/2) ||w_k - w~||^2 } in T private rounds: each participant
 * improves its own model near the shared w~, sends its clipped update, and the curator moves w~ by
 * the noisy mean. The result is every task's own model, which is not noised and never leaves it
 * unclipped; after the last release it takes its local steps once more, so that no release is wasted.
 * With `safeguard` a task keeps its single-task model where that is clearly better on its own held-out
 * rows; the paper's algorithm has `safeguard: false`. `choice` lets tasks look back for the best round and
 * for the best lambda of the last steps.
 *
 * The guarantee is joint (billboard) privacy: the view of all other tasks together is
 * (epsilon, delta)-DP with respect to one task. The noise is calibrated numerically: gamma (zero-out)
 * or 2 gamma (replace) over the participants' sum, Poisson samples as the subsampled Gaussian. The
 * paper's Theorem 1 calibrates fixed-size samples with the Poisson result and unnamed constants.
 * `model.components.shared` is the last w~, the only part every task may see.
 *
 * **Choosing the settings.** They must come from public knowledge or be charged. Two regimes worked:
 * - Few features, many rows a task: `localSteps: "solve"`, a clip above most ||w_k - w~|| and a small
 *   lambda. School, 27 features, rows of unit norm, rounds 30, clip 80, lambda 3e-4: nMSE .651 at
 *   eps 1 (replace); alone .73, non-private trace norm about .67.
 * - Many parameters, few rows: many rounds of normalised updates, a clip so small that it cuts nearly
 *   every update and a `serverStepSize` that gives back the size. FEMNIST digits, softmax, rounds 50,
 *   clip 0.1, serverStepSize 60, localSteps 20, lambda 0.2: accuracy .745 at eps 2, .781 at eps 8
 *   (zero-out); alone .534, private FedAvg .740 and .777. At eps 0.8 FedAvg is ahead, .657 to .635.
 *
 * @see Hu, Wu, Smith (2023), "Private multi-task learning: formulation and applications to federated
 *   learning", Algorithm 1 and Theorem 1.
 * @example
 * const model = await new Pmtl({ loss: "softmax", epsilon: 2, adjacency: "zero-out", lambda: 0.03,
 *   localSteps: "solve", rounds: 3 }).fit(train);
 */
export class Pmtl implements DividedEstimator {
  readonly method = "pmtl";
  readonly options: PmtlOptions;
  readonly halves: Halves;

  /** @throws OptionError naming every bad option, or options that no theorem covers together. */
  constructor(options?: Partial<PmtlOptions>) {
    const checked = checkOptions<PmtlOptions>(this.method, options, {
      ...federatedRules,
      ...proximalRules,
      update: withDefault(aWord(["from-global", "from-local"] as const), "from-global"),
    });
    this.options = checkFederated(this.method, checked, checked.lambda);
    this.halves = federatedHalves(
      { start: "own", lambda: checked.lambda, update: checked.update },
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
