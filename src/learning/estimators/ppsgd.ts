/**
 * PPSGD: a shared model learned by noisy gradients, plus an offset of each task's own.
 * @module
 */
import { averagingHalves } from "../families/averaging/halves.js";
import { averagingTakes } from "../families/averaging/rows-taken.js";
import { gradientOptions, type GradientOptions } from "../families/averaging/gradient-options.js";
import { checkFederated, type FederatedOptions } from "../families/averaging/options.js";
import { aNonNegative } from "../options/kinds.js";
import { logRange, type DividedMethod } from "../options/method.js";
import { option, type OptionsOf } from "../options/option.js";
import { plannedClip } from "../options/clip-option.js";
import { PrivateEstimator } from "../release/private-estimator.js";

const own = {
  /** alpha >= 0: a task's own offset takes steps of alpha eta; default 1. 0: one model for all. */
  personalization: option(aNonNegative, {
    group: "model",
    symbol: "ALPHA",
    help: "Step of a task's own offset, in steps of the shared model; 0: one model for all.",
    default: 1,
  }),
};

/** Options of {@link PpSgd}. */
export interface PpSgdOptions extends GradientOptions, OptionsOf<typeof own> {}

/** The same as the family has them. */
const federated = (options: PpSgdOptions): FederatedOptions => ({
  ...options,
  localSteps: 1,
  serverStepSize: options.stepSize,
});

export const ppSgd: DividedMethod<PpSgdOptions> = {
  name: "ppsgd",
  title: "PPSGD, a shared model and offsets of one's own",
  recommendedFor: "a baseline of PMTL; many rounds",
  options: { ...gradientOptions, ...own },
  releases: "sum of clipped gradients + noise",
  privacy: {
    unit: "task",
    statistics: ["vector"],
    budget: "scheduled",
  },
  ranges: { personalization: [0, 1, 10], stepSize: logRange(1, 0.01, 3), clip: [1, 0.1] },
  compared: [],
  check: (options) => checkFederated("ppsgd", federated(options), 0),
  halves: (options) => {
    const { personalization, stepSize } = options;
    return averagingHalves(
      {
        start: "own",
        lambda: 0,
        update: "from-global",
        lastSteps: false,
        offsets: { personalization, stepSize },
      },
      federated(options),
    );
  },
  uploadNorm: ({ clip }) => plannedClip(clip),
  takes: (options) => averagingTakes(federated(options)),
  make: (options) => new PpSgd(options),
};

/**
 * Task k has the model w + theta_k. In each of T rounds every participant takes the gradient g of its loss at that sum, moves its own
 * offset, theta_k <- theta_k - alpha eta g, without noise, and shares g, clipped to norm C; the curator moves w by eta times the
 * noisy mean. alpha = 0 is DP-SGD for one model, a large alpha learning alone.
 *
 * The releases and their guarantee are those of `Pmtl`: joint differential privacy of a task, by the Gaussian mechanism or, for
 * Poisson samples, the subsampled one. An intercept is a task's own and takes steps of eta. `safeguard`, `choice` and `finetune` are
 * the family's; the papers' algorithm has `safeguard: false`. That alpha multiplies the step size, and that g is clipped on its way to
 * the curator only, was written from memory of the paper.
 *
 * @see Bietti, Wei, Dudik, Langford, Wu (2022), "Personalization improves privacy-accuracy tradeoffs in federated learning"; Hu, Wu,
 *   Smith (2023), appendix A.8.
 * @example const model = await new PpSgd({ epsilon: 2, rounds: 50, stepSize: 0.5, personalization: 1 }).fit(train);
 */
export class PpSgd extends PrivateEstimator<PpSgdOptions> {
  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(options?: Partial<PpSgdOptions>) {
    super(ppSgd, options);
  }
}
