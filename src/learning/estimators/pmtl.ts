/**
 * PMTL: private mean-regularised multi-task learning.
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
import type { UpdateForm } from "../families/averaging/updates/local-updates.js";
import { aBoolean, aWord } from "../options/kinds.js";
import { logRange, type DividedMethod } from "../options/method.js";
import { option, type OptionsOf } from "../options/option.js";
import { PrivateEstimator } from "../release/private-estimator.js";

const own = {
  /**
   * What a task's update is relative to. "from-global" (default): w_k - w~, so that the mean corrects
   * the noise of earlier rounds (the authors' program). "from-local": w_k(new) - w_k(old) (the
   * paper's text), where the noise in w~ is never corrected.
   */
  update: option(aWord<UpdateForm>(["from-global", "from-local"]), {
    group: "rounds",
    help: "What an update is relative to: from-global corrects earlier noise, from-local is the paper's text.",
    default: "from-global",
  }),
  /**
   * Whether every task steps once more after the last release (default), so that this is used too. False: the
   * output is the model that it uploaded from, as the paper's algorithm ends.
   */
  lastSteps: option(aBoolean, {
    group: "rounds",
    help: "Whether tasks step once more after the last release; the paper's algorithm ends before.",
    default: true,
  }),
};

/** Options of {@link Pmtl}. */
export interface PmtlOptions
  extends FederatedOptions, ProximalOptions, RecordOptions, OptionsOf<typeof own> {}

export const pmtl: DividedMethod<PmtlOptions> = {
  name: "pmtl",
  title: "PMTL, a model near the shared mean",
  recommendedFor: "larger models (softmax, networks), many rounds",
  options: { ...federatedOptions, ...proximalOptions, ...own, ...recordOptions },
  releases: "sum of clipped updates + noise",
  privacy: {
    unit: "task",
    statistics: ["vector"],
    budget: "scheduled",
  },
  ranges: { lambda: logRange(1, 0.001, 4), clip: [10, 1, 0.1] },
  compared: ["softmax"],
  check: (options) => checkRecords("pmtl", options, { lambda: options.lambda, steps: true }),
  halves: (options) => {
    const { lambda, update, lastSteps } = options;
    return unitHalves({ start: "own", lambda, update, lastSteps }, options);
  },
  uploadNorm: unitUploadNorm,
  takes: averagingTakes,
  make: (options) => new Pmtl(options),
};

/**
 * min (1/m) sum_k { L_k(w_k) + (lambda/2) ||w_k - w~||^2 } in T private rounds: each participant
 * improves its own model near the shared w~, sends its clipped update, and the curator moves w~ by
 * the noisy mean. The result is every task's own model, which is not noised and never leaves it
 * unclipped; after the last release it takes its local steps once more, so that no release is wasted.
 * With `safeguard` a task keeps its single-task model where that is clearly better on its own held-out
 * rows; the paper's algorithm has `safeguard: false`. `choice` lets tasks look back for the best round and
 * for the best lambda of the last steps.
 *
 * The guarantee is joint differential privacy (billboard lemma): the view of all other tasks together is
 * (epsilon, delta)-DP with respect to one task. The noise is calibrated numerically: gamma (zero-out)
 * or 2 gamma (replace) over the participants' sum, Poisson samples as the subsampled Gaussian. The
 * paper's Theorem 1 calibrates fixed-size samples with the Poisson result and unnamed constants.
 * `model.components.shared` is the last w~, the only part every task may see.
 *
 * With `unit: "record"` or `"both"` the rounds are gradient steps of w~ on all rows, each row's gradient cut to `recordClip`: what a
 * row moves is then bounded whatever its task's models do. Every task's own model follows from the last w~ and its rows, or
 * with `ownModel: "noisy"` from noisy gradients of these, so that it may be given away. `components.shared` then ends with the
 * intercepts of w~.
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
export class Pmtl extends PrivateEstimator<PmtlOptions> {
  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(options?: Partial<PmtlOptions>) {
    super(pmtl, options);
  }
}
