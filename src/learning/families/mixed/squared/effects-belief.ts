/**
 * What the releases leave of the fixed effects: a likelihood that every noisy score adds to, and the posterior with a prior
 * under which some effects are large and most are near zero, so that scores no larger than their noise leave them there.
 * Post-processing of releases.
 * @module
 */
import { congruence } from "../../../../linalg/kernel-products.js";
import { sumOfSquares } from "../../../../linalg/norm.js";
import { apply, multiply, symmetric, trace, transpose } from "../../../../linalg/small-matrices.js";
import { mixturePosterior, type Told } from "../scale-mixture.js";
import type { Believed, InformationEstimate } from "../believed.js";

export interface EffectsBelief extends Believed, Told {
  /** Variances that the effects' sizes are multiples of, [d]. */
  readonly scales: Float64Array;
  /** Variance of an entry of the last score beside what the effects explain; undefined before the first. */
  readonly noise?: number;
}

/** A score, taken at `effects` in coordinates x of which the effects are basis x away from it. */
export interface EffectsScore {
  readonly effects: Float64Array;
  readonly toBasis: Float64Array;
  readonly information: InformationEstimate;
  readonly score: Float64Array;
  /** Of the noise on each of its entries. */
  readonly deviation: number;
}

/** What stays of the noise where there is none, for the arithmetic. */
const LEAST_NOISE = 1e-9;

/** Passes in which the noise of the information, which multiplies the error, is reckoned. */
const PASSES = 3;

/** The belief before the first score. @param scales variances that the sizes of the effects are multiples of, [d]. */
export function startEffects(scales: Float64Array): EffectsBelief {
  const d = scales.length;
  const nothing = { precision: new Float64Array(d * d), pull: new Float64Array(d) };
  return { ...nothing, scales, ...mixturePosterior(nothing, scales) };
}

/**
 * The belief after a score G x + noise. What is unsure in G counts as noise of the score, in proportion to the
 * error that it multiplies.
 */
export function afterScore(
  belief: EffectsBelief,
  { effects, toBasis, information, score, deviation }: EffectsScore,
): EffectsBelief {
  const { scales } = belief;
  const d = scales.length;
  const { matrix, variance } = information;
  const squareOf = ({ mean, error }: Believed) => {
    const away = mean.slice();
    for (let c = 0; c < d; c++) away[c]! -= effects[c]!;
    const square = sumOfSquares(apply(toBasis, away, d, d));
    return square + trace(congruence(toBasis, error, d, d), d);
  };
  const back = transpose(toBasis, d, d);
  const precision = symmetric(congruence(back, multiply(matrix, matrix, d, d, d), d, d), d);
  const news = apply(back, apply(matrix, score, d, d), d, d);
  const there = apply(precision, effects, d, d);
  const before = squareOf(belief);
  let after = belief;
  for (let pass = 0; pass < PASSES; pass++) {
    const square = pass === 0 ? before : Math.min(before, squareOf(after));
    const noise = deviation ** 2 + variance * square + LEAST_NOISE;
    const told = { precision: belief.precision.slice(), pull: belief.pull.slice() };
    for (let at = 0; at < precision.length; at++) told.precision[at]! += precision[at]! / noise;
    for (let c = 0; c < d; c++) told.pull[c]! += (news[c]! + there[c]!) / noise;
    after = { ...told, scales, noise, ...mixturePosterior(told, scales) };
  }
  return after;
}
