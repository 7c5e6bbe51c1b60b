/**
 * PMTL as its workshop version has it: models in a ball, and their noisy mean.
 * @module
 */
import { averagingHalves } from "../families/averaging/halves.js";
import { averagingTakes } from "../families/averaging/rows-taken.js";
import {
  checkFederated,
  federatedOptions,
  proximalOptions,
  type FederatedOptions,
  type ProximalOptions,
} from "../families/averaging/options.js";
import type { ProjectedOutput } from "../families/averaging/updates/projected-models.js";
import { aBoolean, aPositiveInteger, aWord } from "../options/kinds.js";
import { logRange, type DividedMethod } from "../options/method.js";
import { inWords, option, withoutOptions, type OptionsOf } from "../options/option.js";
import { AUTO_CLIP, plannedClip } from "../options/clip-option.js";
import { PrivateEstimator } from "../release/private-estimator.js";

const own = {
  /** E, projected gradient steps a participant takes in a round; default 10. */
  localSteps: option(aPositiveInteger, {
    group: "rounds",
    symbol: "E",
    help: "Local gradient steps a round, each projected to the ball.",
    unit: "steps",
    default: 10,
  }),
  /** Whether every task steps once more after the last release; default true. For output "last" only. */
  lastSteps: option(aBoolean, {
    group: "rounds",
    help: "Whether tasks step once more after the last release.",
    default: true,
  }),
  /** What a task keeps: its model after the last round (default), or the mean of its models after every round. */
  output: option(aWord<ProjectedOutput>(["last", "average"]), {
    group: "model",
    help: "What a task keeps: its last model, or the average of those of all rounds.",
    default: "last",
  }),
};

// The mean of models is the shared model, not a step.
const shared = withoutOptions(federatedOptions, ["serverStepSize"]);

/** Options of {@link PmtlProjected}. */
export interface PmtlProjectedOptions
  extends
    Omit<FederatedOptions, "localSteps" | "serverStepSize">,
    ProximalOptions,
    OptionsOf<typeof own> {}

const federated = (options: PmtlProjectedOptions): FederatedOptions => ({
  ...options,
  serverStepSize: 1,
});

export const pmtlProjected: DividedMethod<PmtlProjectedOptions> = {
  name: "pmtl-projected",
  title: "PMTL of the workshop version, averages of projected models",
  recommendedFor: "a comparison with pmtl, which is better",
  options: {
    ...shared,
    ...proximalOptions,
    ...own,
    clip: inWords(shared.clip, {
      symbol: "R",
      unit: "l2 norm of a model",
      help: `Radius of the ball that every task's model stays in, from public knowledge; ${AUTO_CLIP}.`,
    }),
  },
  releases: "sum of projected models + noise",
  privacy: {
    unit: "task",
    statistics: ["vector"],
    budget: "scheduled",
  },
  ranges: { lambda: logRange(1, 0.001, 4), clip: [10, 1, 0.1] },
  compared: [],
  check: (options) => checkFederated("pmtl-projected", federated(options), options.lambda),
  halves: (options) => {
    const { lambda, output, lastSteps } = options;
    return averagingHalves(
      {
        start: "own",
        lambda,
        update: "from-global",
        projected: output,
        lastSteps: lastSteps || output === "average",
      },
      federated(options),
    );
  },
  uploadNorm: ({ clip }) => plannedClip(clip),
  takes: (options) => averagingTakes(federated(options)),
  make: (options) => new PmtlProjected(options),
};

/**
 * The objective of `Pmtl` in T private rounds of another kind: every local step is projected to the ball of radius R, `clip`; a
 * task shares its model, not an update; w~ is the noisy mean of the models of the round. Noise does not add up over the rounds, but has
 * the size of a model in each of them, where an update's shrinks.
 *
 * The guarantee is that of `Pmtl` with R for the clip. What the workshop paper says word for word could not be looked at: it was
 * written from a description of it. Its averaged models are read as the mean over tasks, and by `output: "average"` as the mean
 * over rounds too.
 *
 * @see Hu, Wu, Smith, "Private multi-task learning: formulation and applications to federated learning", workshop version.
 * @example const model = await new PmtlProjected({ epsilon: 2, clip: 5, lambda: 0.1 }).fit(train);
 */
export class PmtlProjected extends PrivateEstimator<PmtlProjectedOptions> {
  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(options?: Partial<PmtlProjectedOptions>) {
    super(pmtlProjected, options);
  }
}
