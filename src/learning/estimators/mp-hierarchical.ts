/**
 * Private hierarchical learning: noisy mean and covariance as prior, full local solves.
 * @module
 */
import { priorTakes } from "../families/prior/rows-taken.js";
import { suitsHierarchical } from "../prospects/suits.js";
import type { Statistic } from "../../privacy/index.js";
import { mechanismFor } from "../options/private-options.js";
import { hierarchicalPriorRule } from "../families/prior/covariance/hierarchical-prior.js";
import { priorHalves } from "../families/prior/halves.js";
import type { PriorMethod } from "../families/prior/method.js";
import { priorOptions, type PriorMethodOptions } from "../families/prior/options.js";
import { checkStrength } from "../families/prior/strength/strength-belief.js";
import { affordableRounds } from "../families/prior/rounds.js";
import { releaseNoise } from "../families/prior/covariance/release-noise.js";
import { aPositive } from "../options/kinds.js";
import type { DividedMethod } from "../options/method.js";
import { option, type OptionsOf } from "../options/option.js";
import { PrivateEstimator } from "../release/private-estimator.js";
import { checkPriorRecords } from "../families/prior/records/check-records.js";

const own = {
  /**
   * Weight gamma > 0 of the mean against the covariance in the one release, for `uploadScaling: "unit"`:
   * models are scaled to norm 1/gamma beside the 1; default 0.5.
   */
  meanWeight: option(aPositive, {
    group: "model",
    help: "With uploadScaling unit: weight of the mean against the covariance.",
    default: 0.5,
  }),
};

/** Options of {@link MpHierarchical}. */
export interface MpHierarchicalOptions extends PriorMethodOptions, OptionsOf<typeof own> {}

/** What is released. */
const statistics: readonly Statistic[] = ["augmented-covariance"];

export const mpHierarchical: DividedMethod<MpHierarchicalOptions> = {
  name: "mp-hierarchical",
  title: "Hierarchical learning",
  recommendedFor: "tasks are alike, as schools are; from eps = 0.3 on",
  options: { ...priorOptions, ...own, mechanism: mechanismFor(statistics) },
  releases: "1 to 4 times: sum [u; 1][u; 1]^T + noise",
  privacy: {
    unit: "task",
    statistics,
    budget: "equal",
  },
  ranges: { meanWeight: [0.25, 0.5, 0.75] },
  compared: [],
  suits: suitsHierarchical,
  check: (options) => {
    checkStrength("mp-hierarchical", options);
    checkPriorRecords("mp-hierarchical", options);
  },
  halves: (options) => priorHalves(definitionOf(options), options),
  uploadNorm: ({ uploadScaling, meanWeight, clip, unit }) =>
    uploadScaling === "unit" || unit !== "task" ? 1 / meanWeight : clip,
  takes: priorTakes,
  make: (options) => new MpHierarchical(options),
};

/**
 * Private hierarchical learning: tasks share a mean and a covariance. Every task puts a 1 beside its
 * own model, scaled or clipped to norm K; the curator releases the noisy sum of [u; 1][u; 1]^T, which
 * tells the mean a and, the mean taken out, the covariance C; every task solves
 *   min L_i(w) + (kappa/2) (w - a)^T C^-1 (w - a)
 * exactly on its own rows. Models that are scaled to one length lose theirs, so with
 * `uploadScaling: "unit"` (the default) each task finds its own multiple of a: the mean is put into C, with
 * the energy that it has. Rounds then refine C in its own coordinates, as in `MpFeatureLearning`.
 * With `uploadScaling: "clipped"` the mean itself is the center, and there are two rounds by default.
 *
 * The guarantee is joint differential privacy (billboard lemma), as for `MpFeatureLearning`. It joins the mean of Hu,
 * Wu, Smith (2023) and the covariance of Liang et al.
 *
 * @see Chelba and Acero (2006) and Evgeniou and Pontil (2004), for priors around a mean.
 * @example const model = await new MpHierarchical({ epsilon: 1 }).fit(train);
 */
export class MpHierarchical extends PrivateEstimator<MpHierarchicalOptions> {
  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(options?: Partial<MpHierarchicalOptions>) {
    super(mpHierarchical, options);
  }
}

function definitionOf(options: MpHierarchicalOptions): PriorMethod {
  const unit = options.uploadScaling === "unit" || options.unit !== "task";
  const clip = mpHierarchical.uploadNorm(options);
  return {
    statistic: "augmented-covariance",
    clip,
    centered: !unit,
    refined: unit,
    rounds: (m, d) => (unit ? affordableRounds(options, "covariance", m, d) : 2),
    rule: (stage, d) =>
      hierarchicalPriorRule({
        ...options,
        norm: unit && options.unit === "task" ? clip : undefined,
        refined: unit,
        bound: clip,
        mean: unit ? "direction" : "center",
        noise: (round) => releaseNoise(stage, round, d + 1),
        meanDeviation: (round) => releaseNoise(stage, round, d + 1).offDiagonal,
      }),
  };
}
