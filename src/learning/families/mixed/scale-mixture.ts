/**
 * Posterior of coefficients of which some are large and most are small, under a Gaussian likelihood: each coefficient's
 * prior is a mixture of normals of several sizes, whose weights the slopes share and tell; by expectation propagation.
 * @see Minka (2001), "Expectation propagation for approximate Bayesian inference"; Hernández-Lobato, Hernández-Lobato and
 * Suárez (2015), "Expectation propagation in linear regression models with spike-and-slab priors"
 * @module
 */
import { log } from "../../../core/elementary.js";
import { definiteInverse, inverseRoom } from "../../../linalg/kernel-inverse.js";
import { apply, symmetric } from "../../../linalg/small-matrices.js";
import { EFFECTS } from "./squared/squared-settings.js";
import type { Believed } from "./believed.js";
import { softmax } from "../../../linalg/softmax.js";

/** A likelihood exp(-a' precision a / 2 + pull' a). */
export interface Told {
  /** [d, d]. */
  readonly precision: Float64Array;
  /** [d]. */
  readonly pull: Float64Array;
}

/** Passes over the coefficients, part of a change that each takes, and the widest site beside the widest size. */
const PASSES = { count: 24, part: 0.6, widest: 3 } as const;

const SLOPES = Float64Array.from(EFFECTS.slopes.sizes);
const INTERCEPT = Float64Array.from(EFFECTS.intercept.sizes);

/** A mixture of normals around 0 seen through a normal likelihood, one coefficient after the other: a fit asks it thousands of times. */
class Tilted {
  mean = 0;
  variance = 0;
  /** Weights of the sizes, those that there are first. */
  readonly parts: Float64Array;
  readonly #variances: Float64Array;
  readonly #centers: Float64Array;

  /** @param most sizes of a coefficient. */
  constructor(most: number) {
    this.parts = new Float64Array(most);
    this.#variances = new Float64Array(most);
    this.#centers = new Float64Array(most);
  }

  /**
   * @param precision of the likelihood, and its mean.
   * @param logs logarithms of the mixture's weights.
   */
  of(precision: number, mean: number, sizes: Float64Array, logs: Float64Array): void {
    const count = sizes.length;
    const variances = this.#variances;
    const centers = this.#centers;
    const parts = this.parts.length === count ? this.parts : this.parts.subarray(0, count);
    for (let k = 0; k < count; k++) {
      const size = sizes[k]!;
      const variance = size + 1 / precision;
      parts[k] = logs[k]! - log(variance) / 2 - mean ** 2 / (2 * variance);
      variances[k] = size / (1 + size * precision);
      centers[k] = variances[k]! * precision * mean;
    }
    softmax(parts, parts);
    let center = 0;
    for (let k = 0; k < count; k++) center += parts[k]! * centers[k]!;
    let variance = 0;
    for (let k = 0; k < count; k++) {
      // Around the center: where little is unsure, a difference of squares would be rounding.
      variance += parts[k]! * (variances[k]! + (centers[k]! - center) ** 2);
    }
    this.mean = center;
    this.variance = variance;
  }
}

function logsOf(values: Float64Array, out: Float64Array): Float64Array {
  for (let k = 0; k < values.length; k++) out[k] = log(values[k]!);
  return out;
}

function sizesTimes(sizes: Float64Array, scale: number): Float64Array {
  const out = new Float64Array(sizes.length);
  for (let k = 0; k < out.length; k++) out[k] = sizes[k]! * scale;
  return out;
}

/**
 * Mean and covariance of the coefficients, the intercept last.
 * Loops, no functions over the arrays: made anew for every call, these would be compiled again after each large collection.
 * @param scales variances that sizes are multiples of, [d].
 */
export function mixturePosterior({ precision, pull }: Told, scales: Float64Array): Believed {
  const d = scales.length;
  const { slopes, intercept } = EFFECTS;
  const sizes: Float64Array[] = [];
  for (let c = 0; c < d; c++) sizes.push(sizesTimes(c === d - 1 ? INTERCEPT : SLOPES, scales[c]!));
  const tilted = new Tilted(Math.max(slopes.sizes.length, intercept.sizes.length));
  const weights = Float64Array.from(slopes.prior);
  const ofIntercept = logsOf(Float64Array.from(intercept.prior), new Float64Array(intercept.prior.length)); // prettier-ignore
  const logs = new Float64Array(weights.length);
  const counts = new Float64Array(weights.length);
  // A coefficient's prior in the posterior: a normal of such a precision, and pull.
  const site = new Float64Array(d);
  const sitePull = new Float64Array(d);
  const least = new Float64Array(d);
  for (let c = 0; c < d; c++) {
    const own = sizes[c]!;
    const { prior } = c === d - 1 ? intercept : slopes;
    let mean = 0;
    for (let k = 0; k < own.length; k++) mean += prior[k]! * own[k]!;
    site[c] = 1 / mean;
    least[c] = 1 / (PASSES.widest * own[own.length - 1]!);
  }
  const told = symmetric(precision.slice(), d);
  const whole = new Float64Array(d * d);
  const pulls = new Float64Array(d);
  const room = inverseRoom(d);
  for (let pass = 0; ; pass++) {
    whole.set(told);
    for (let c = 0; c < d; c++) {
      whole[c * (d + 1)]! += site[c]!;
      pulls[c] = pull[c]! + sitePull[c]!;
    }
    const error = definiteInverse(whole, d, room).inverse;
    const mean = apply(error, pulls, d, d);
    if (pass === PASSES.count) return { mean, error };
    counts.fill(0);
    logsOf(weights, logs);
    for (let c = 0; c < d; c++) {
      const variance = error[c * (d + 1)]!;
      const without = Math.max(1 / variance - site[c]!, 1e-9 / scales[c]!);
      const center = (mean[c]! / variance - sitePull[c]!) / without;
      tilted.of(without, center, sizes[c]!, c === d - 1 ? ofIntercept : logs);
      if (c < d - 1) for (let k = 0; k < counts.length; k++) counts[k]! += tilted.parts[k]!;
      const own = Math.max(1 / tilted.variance - without, least[c]!);
      const ownPull = tilted.mean * (own + without) - without * center;
      site[c]! += PASSES.part * (own - site[c]!);
      sitePull[c]! += PASSES.part * (ownPull - sitePull[c]!);
    }
    for (let k = 0; k < counts.length; k++) {
      weights[k] = (slopes.count * slopes.prior[k]! + counts[k]!) / (slopes.count + d - 1);
    }
  }
}
