/**
 * Private multi-task feature learning: a noisy covariance as prior, full local solves.
 * @module
 */
import { priorTakes } from "../families/prior/rows-taken.js";
import type { Statistic } from "../../privacy/index.js";
import { checkMechanism, mechanismFor } from "../options/private-options.js";
import { noiseScaleAt } from "../round/release-plan.js";
import { diagonalPriorRule } from "../families/prior/covariance/diagonal-prior.js";
import { entryNoiseOf } from "../../privacy/mechanisms/catalogue.js";
import { covariancePriorRule } from "../families/prior/covariance/covariance-prior.js";
import { priorHalves } from "../families/prior/halves.js";
import type { PriorMethod } from "../families/prior/method.js";
import { priorOptions, type PriorMethodOptions } from "../families/prior/options.js";
import { checkStrength } from "../families/prior/strength/strength-belief.js";
import { affordableRounds } from "../families/prior/rounds.js";
import { releaseNoise } from "../families/prior/covariance/release-noise.js";
import { aWord } from "../options/kinds.js";
import type { DividedMethod } from "../options/method.js";
import { option, type OptionsOf } from "../options/option.js";
import { PrivateEstimator } from "../release/private-estimator.js";
import { checkPriorRecords } from "../families/prior/records/check-records.js";

const own = {
  /** "full" (default): the whole covariance, for low rank. "diagonal": one variance per feature. */
  sharing: option(aWord(["full", "diagonal"]), {
    group: "model",
    help: "full: the whole covariance, for shared directions; diagonal: one variance per feature.",
    default: "full",
  }),
};

/** Options of {@link MpFeatureLearning}. */
export interface MpFeatureLearningOptions extends PriorMethodOptions, OptionsOf<typeof own> {}

/** What is released. */
const statistics: readonly Statistic[] = ["covariance", "diagonal"];

export const mpFeatureLearning: DividedMethod<MpFeatureLearningOptions> = {
  name: "mp-feature-learning",
  title: "Feature learning",
  recommendedFor:
    "tasks share a subspace, or few features are in use; the first to try from eps = 0.3 on",
  options: { ...priorOptions, ...own, mechanism: mechanismFor(statistics) },
  releases: "1 to 4 times: sum u u^T + noise, |u| = 1, or its diagonal",
  privacy: {
    unit: "task",
    statistics,
    budget: "equal",
  },
  ranges: { sharing: ["full", "diagonal"], rounds: [1, 2] },
  compared: ["squared", "logistic"],
  simulationsOnly: true,
  check: (options) => {
    checkStrength("mp-feature-learning", options);
    const { mechanism, sharing } = options;
    checkPriorRecords("mp-feature-learning", options, sharing === "full");
    checkMechanism("mp-feature-learning", mechanism, statisticOf(sharing), `sharing "${sharing}"`);
  },
  halves: (options) => priorHalves(definitionOf(options), options),
  uploadNorm: ({ uploadScaling, clip, unit }) =>
    uploadScaling === "unit" || unit !== "task" ? 1 : clip,
  takes: priorTakes,
  make: (options) => new MpFeatureLearning(options),
};

/**
 * Private multi-task feature learning. Every task scales its own ridge model to unit length; the
 * curator releases the noisy sum of u_i u_i^T (or its diagonal) and takes the noise's spectrum out of
 * it, which gives a covariance C; every task solves
 *   min L_i(w) + (kappa/2) w^T C^-1 w
 * exactly on its own rows, with a kappa that it chooses there or that all choose by charged votes.
 *
 * One to four releases and full local solves, instead of many small projected steps: at the same
 * guarantee far more accurate. From the second round on the tasks share the direction of L^T w_i,
 * where C^-1 = L L^T is the prior they have: what it explains already is scaled down, what it missed
 * is scaled up, and the curator refines C by what the release says in those coordinates. Where no
 * direction stands out of the noise, C stays as it was, at first the identity, under which every task
 * has the model it would have alone.
 *
 * The guarantee is joint differential privacy (billboard lemma): the view of all other tasks together is
 * (epsilon, delta)-DP with respect to one task. Nothing protects a task from whoever holds its
 * own model.
 *
 * @see Argyriou, Evgeniou, Pontil (2008), without noise; Liang et al., Algorithm 1, for the frame.
 * @example const model = await new MpFeatureLearning({ epsilon: 1 }).fit(train);
 */
export class MpFeatureLearning extends PrivateEstimator<MpFeatureLearningOptions> {
  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(options?: Partial<MpFeatureLearningOptions>) {
    super(mpFeatureLearning, options);
  }
}

const statisticOf = (sharing: MpFeatureLearningOptions["sharing"]) =>
  sharing === "full" ? "covariance" : "diagonal";

function definitionOf(options: MpFeatureLearningOptions): PriorMethod {
  const clip = mpFeatureLearning.uploadNorm(options);
  const norm = options.uploadScaling === "unit" || options.unit !== "task" ? 1 : undefined;
  // Models that one record moves little are of any length.
  const known = options.unit === "task" ? norm : undefined;
  const full = options.sharing === "full";
  return {
    statistic: statisticOf(options.sharing),
    clip,
    centered: false,
    refined: norm !== undefined,
    rounds: (m, d) =>
      norm === undefined ? 1 : affordableRounds(options, statisticOf(options.sharing), m, d),
    rule: (stage, d) =>
      full
        ? covariancePriorRule({
            ...options,
            norm: known,
            refined: norm !== undefined,
            noise: (round) => releaseNoise(stage, round, d),
          })
        : diagonalPriorRule({
            ...options,
            norm,
            noise: (round) => entryNoiseOf(stage.mechanism, noiseScaleAt(stage, round), d),
          }),
  };
}
