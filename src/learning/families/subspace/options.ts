/**
 * Options of private subspace learning.
 * @module
 */
import { OptionError } from "../../../core/index.js";
import { commonOptions } from "../../options/common-options.js";
import { anInteger, aPositiveInteger, aWord, aWordOr } from "../../options/kinds.js";
import { option, type OptionsOf } from "../../options/option.js";
import { releaseOptions, type ReleaseOptions } from "../../options/private-options.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import type { LossName } from "../../tasks/losses.js";

const own = {
  /** T, gradient rounds after the start; default 5. 0: the covariance gets all of the budget. */
  rounds: option(anInteger({ min: 0 }), {
    group: "rounds",
    symbol: "T",
    help: "Gradient rounds after the covariance that they start from.",
    unit: "rounds",
    default: 5,
  }),
  /**
   * Most directions k. "auto" (default): 8, or what a quarter of the features and the rows of a task of mean size
   * allow. How many there are is read off the released spectrum.
   */
  maxRank: option(aWordOr(["auto"], aPositiveInteger), {
    group: "model",
    symbol: "K",
    help: "Most directions; auto: up to 8, by features and rows. The released spectrum says how many.",
    default: "auto",
  }),
};

/** Options of {@link MpSubspace}. */
export interface SubspaceOptions
  extends CommonOptions, Omit<ReleaseOptions, "mechanism">, OptionsOf<typeof own> {}

export const subspaceOptions = {
  ...commonOptions,
  loss: option<LossName>(aWord<LossName>(["squared"]), {
    group: "model",
    help: "squared, for numbers.",
    default: "squared",
  }),
  epsilon: releaseOptions.epsilon,
  delta: releaseOptions.delta,
  adjacency: releaseOptions.adjacency,
  random: releaseOptions.random,
  noise: releaseOptions.noise,
  ...own,
};

/** @throws OptionError for what the method does not have. */
export function checkSubspace({ lossScale, delta }: SubspaceOptions): void {
  if (lossScale !== "mean") {
    throw new OptionError('lossScale: mp-subspace weighs rows by the likelihood; expected "mean"');
  }
  if (delta === 0) {
    throw new OptionError("delta: mp-subspace releases under Gaussian noise; expected delta > 0");
  }
}
