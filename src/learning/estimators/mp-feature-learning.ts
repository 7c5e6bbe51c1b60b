/**
 * Private multi-task feature learning: a noisy covariance as prior, full local solves.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import type { Halves } from "../round/halves.js";
import { diagonalPriorRule } from "../families/prior/diagonal-prior.js";
import { entryNoise, noiseSpectrum } from "../families/prior/noise-spectrum.js";
import { covariancePriorRule } from "../families/prior/prior.js";
import type { FitOptions } from "../round/estimator.js";
import { aWord, checkOptions, withDefault } from "../options/check-options.js";
import { priorHalves, type PriorMethod } from "../families/prior/prior-method.js";
import { affordableRounds } from "../families/prior/prior-rounds.js";
import { priorMethodRules, type PriorMethodOptions } from "../families/prior/prior-options.js";
import { fitPrivate, type DividedEstimator } from "../release/fit-private.js";

/** Options of {@link MpFeatureLearning}. */
export interface MpFeatureLearningOptions extends PriorMethodOptions {
  /** "full" (default): the whole covariance, for low rank. "diagonal": one variance per feature. */
  readonly sharing: "full" | "diagonal";
}

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
 * The guarantee is joint (billboard) privacy: the view of all other tasks together is
 * (epsilon, delta)-DP with respect to one task. Nothing protects a task from whoever holds its
 * own model.
 *
 * @see Argyriou, Evgeniou, Pontil (2008), without noise; Liang et al., Algorithm 1, for the frame.
 * @example const model = await new MpFeatureLearning({ epsilon: 1 }).fit(train);
 */
export class MpFeatureLearning implements DividedEstimator {
  readonly method = "mp-feature-learning";
  readonly options: MpFeatureLearningOptions;
  readonly halves: Halves;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<MpFeatureLearningOptions>) {
    this.options = checkOptions<MpFeatureLearningOptions>(this.method, options, {
      ...priorMethodRules,
      sharing: withDefault(aWord(["full", "diagonal"] as const), "full"),
    });
    this.halves = priorHalves(definitionOf(this.options), this.options);
  }

  /**
   * Fits all tasks.
   * @throws BudgetExceededError before any release if the budget allows no noise.
   */
  fit(data: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    return fitPrivate(this, data, hooks);
  }
}

function definitionOf(options: MpFeatureLearningOptions): PriorMethod {
  const clip = options.share === "unit" ? 1 : options.clip;
  const norm = options.share === "unit" ? 1 : undefined;
  const full = options.sharing === "full";
  return {
    statistic: full ? "covariance" : "diagonal",
    clip,
    centered: false,
    refined: norm !== undefined,
    rounds: (m, d) =>
      norm === undefined ? 1 : affordableRounds(options, full ? "covariance" : "diagonal", m, d),
    rule: (privacy, d) =>
      full
        ? covariancePriorRule({
            ...options,
            norm,
            noise: (round) => noiseSpectrum(privacy.mechanism, privacy.noiseScale(round), d),
          })
        : diagonalPriorRule({
            ...options,
            norm,
            noise: (round) => entryNoise(privacy.mechanism, privacy.noiseScale(round), d),
          }),
  };
}
