/**
 * What is said of a task never seen: how far its model may lie from the fixed effects, and its rows from its model. Its predictive
 * distribution is a mixture of normals over both.
 *
 * Own models have other priors, since a task's own rows choose among them. Here nothing chooses, so what makes those priors safe
 * would make intervals wider than rows are apart. Three things differ:
 *
 * - Common variances, drawn lower where tasks have much in common, are drawn less low.
 * - Of the fixed effects' error less counts: small budgets leave it wide, and tables have smaller effects than that.
 * - Multiples of spread and noise reach one decade, not two.
 *
 * Constants were found on 53 tables, by the interval score (docs/RESULTS-NEW-TASKS.md).
 * @see Gneiting and Raftery (2007), "Strictly proper scoring rules, prediction, and estimation", for the interval score
 * @module
 */
import { exp } from "../../../../core/elementary.js";
import { commonPart, lowerLogs } from "./common-part.js";
import { scaledOnSides } from "../../../../linalg/small-matrices.js";
import {
  NOISE_MULTIPLES,
  NOISE_PRIOR,
  OWN_NOISE_MULTIPLES,
  OWN_NOISE_PRIOR,
  SPREADS,
  UNSEEN,
  type Spreads,
} from "./squared-settings.js";

/**
 * Covariance of a new task's model around the fixed effects, [d, d].
 * @param effects    a, [d], the intercept last.
 * @param covariance C as own models have it, [d, d].
 * @param error      covariance of the error of a, [d, d].
 * @param belief     covariance of the belief about the logarithms of the variances, [3, 3].
 */
export function unseenCovariance(
  effects: Float64Array,
  covariance: Float64Array,
  error: Float64Array,
  belief: Float64Array,
): Float64Array {
  const d = effects.length;
  const lower = lowerLogs(commonPart(effects, covariance), belief);
  const factors = new Float64Array(d).fill(exp((UNSEEN.raised * lower[0]!) / 2));
  factors[d - 1] = exp((UNSEEN.raised * lower[1]!) / 2);
  const out = scaledOnSides(covariance, factors);
  for (let at = 0; at < out.length; at++) out[at]! += UNSEEN.error * error[at]!;
  return out;
}

/**
 * Weights, factors of that covariance, and variances of a row's noise.
 * @param settled whether the covariance is one of those above, for which the constants were found; elsewhere those of own models hold.
 */
export function unseenHypotheses(noise: number, settled: boolean) {
  const spreads: Spreads = settled ? UNSEEN.spreads : SPREADS.few;
  const noises = settled ? NOISE_MULTIPLES : OWN_NOISE_MULTIPLES;
  const prior = settled ? NOISE_PRIOR : OWN_NOISE_PRIOR;
  const all = spreads.multiples.flatMap((spread, i) =>
    noises.map((multiple, j) => [spreads.prior[i]! * prior[j]!, spread, noise * multiple]),
  );
  const [weights, factors, levels] = [0, 1, 2].map((k) => Float64Array.from(all, (one) => one[k]!));
  return { weights: weights!, spreads: factors!, noises: levels! };
}
