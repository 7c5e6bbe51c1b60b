/**
 * How far the fixed effects are from zero, beside the tasks' own spread: nearer than it, alike, or farther, slopes and
 * intercept each for themselves. Under each hypothesis a filter follows the releases, weighed by how well it had expected
 * them, so that scores no larger than their noise leave the effects near zero. Post-processing of releases.
 * @see Magill (1965), "Optimal adaptive estimation of sampled stochastic processes": a bank of Kalman filters
 * @module
 */
import { log } from "../../../core/elementary.js";
import { apply, congruence, symmetric } from "../../../linalg/small-matrices.js";
import { filterStep, type Believed, type InformationEstimate } from "./location-filter.js";
import { EFFECTS } from "./squared-settings.js";
import { softmax } from "./squared-state.js";

/** One hypothesis: what is believed under it, and the logarithm of its weight, up to a constant. */
export interface EffectsFilter extends Believed {
  readonly weight: number;
}

/**
 * Filters before the first score.
 * @param covariance of fixed effects that are as far from zero as they are taken to be at first, [d, d].
 */
export function startFilters(covariance: Float64Array): EffectsFilter[] {
  const d = Math.sqrt(covariance.length);
  const { slopes, intercept } = EFFECTS;
  return slopes.sizes.flatMap((slope, i) =>
    intercept.sizes.map((own, j) => {
      const scaleOf = (c: number) => Math.sqrt(c === d - 1 ? own : slope);
      return {
        mean: new Float64Array(d),
        error: covariance.map((v, at) => v * scaleOf(Math.floor(at / d)) * scaleOf(at % d)),
        weight: log(slopes.prior[i]! * intercept.prior[j]!),
      };
    }),
  );
}

/** A score, taken at `effects` in coordinates x of which the effects are basis x away from it. */
export interface EffectsScore {
  readonly effects: Float64Array;
  readonly basis: Float64Array;
  readonly toBasis: Float64Array;
  readonly information: InformationEstimate;
  readonly score: Float64Array;
  /** Of the noise on each of its entries. */
  readonly deviation: number;
}

/** The filters after a score. */
export function updateFilters(
  filters: readonly EffectsFilter[],
  { effects, basis, toBasis, information, score, deviation }: EffectsScore,
): EffectsFilter[] {
  const d = effects.length;
  return filters.map(({ mean, error, weight }) => {
    const away = mean.map((value, c) => value - effects[c]!);
    const before = {
      mean: apply(toBasis, away, d, d),
      error: congruence(toBasis, error, d, d),
    };
    const { logLikelihood, ...after } = filterStep(before, information, score, deviation);
    return {
      mean: apply(basis, after.mean, d, d).map((value, c) => value + effects[c]!),
      error: congruence(basis, after.error, d, d),
      weight: weight + logLikelihood,
    };
  });
}

/** Mean and covariance over all hypotheses. */
export function averageFilters(filters: readonly EffectsFilter[]): Believed {
  const weights = softmax(filters.map(({ weight }) => weight));
  const d = filters[0]!.mean.length;
  const mean = new Float64Array(d);
  filters.forEach((filter, k) => {
    for (let c = 0; c < d; c++) mean[c]! += weights[k]! * filter.mean[c]!;
  });
  const error = new Float64Array(d * d);
  filters.forEach((filter, k) => {
    const off = filter.mean.map((value, c) => value - mean[c]!);
    for (let at = 0; at < error.length; at++) {
      error[at]! += weights[k]! * (filter.error[at]! + off[Math.floor(at / d)]! * off[at % d]!);
    }
  });
  return { mean, error: symmetric(error, d) };
}
