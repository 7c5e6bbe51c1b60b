/**
 * What the fixed effects say of the variances: where tasks have much in common, they are believed to differ less.
 *
 * In most tables slopes differ among tasks by a small part of what they have in common, and where they differ much they
 * have little in common. So the prior of the logarithms of the variances of slopes and intercept has its center
 * k r lower, r = |a|^2 / (|a|^2 + tr C) over the slopes, which is known once the fixed effects are. In a linear Gaussian
 * filter a prior whose mean is D lower leaves a posterior whose mean is Q S^-1 D lower, S and Q the prior and posterior
 * covariances: much where the releases left the variances unsure, and nothing where they did not. Post-processing of releases.
 * @module
 */
import { multiply } from "../../../../linalg/small-matrices.js";
import { BELIEF, COMMON } from "./squared-settings.js";

/**
 * r: the part of the slopes' second moment that the fixed effects explain, from 0 to 1; 0 without slopes.
 * @param effects   a, [d], the intercept last.
 * @param covariance C, [d, d].
 */
export function commonPart(effects: Float64Array, covariance: Float64Array): number {
  const d = effects.length;
  let [common, own] = [0, 0];
  for (let c = 0; c < d - 1; c++) {
    common += effects[c]! ** 2;
    own += covariance[c * (d + 1)]!;
  }
  return common > 0 ? common / (common + own) : 0;
}

/**
 * How much lower the logarithms of the variances of slopes, intercept and noise are believed to be, [3].
 * @param part   r.
 * @param belief covariance of the belief about them, [3, 3].
 */
export function lowerLogs(part: number, belief: Float64Array): Float64Array {
  const lower = COMMON.lower * part;
  // A round's widening may leave it wider than the prior was.
  const relative = belief.map((value) => Math.min(value / BELIEF.spread ** 2, 1));
  const lowered = Float64Array.of(lower, lower, 0);
  return multiply(relative, lowered, lowered.length, lowered.length, 1);
}
