/**
 * Posterior of coefficients of which some are large and most are small, under a Gaussian likelihood: each coefficient's
 * prior is a mixture of normals of several sizes, whose weights the slopes share and tell; by expectation propagation.
 * @see Minka (2001), "Expectation propagation for approximate Bayesian inference"; Hernández-Lobato, Hernández-Lobato and
 * Suárez (2015), "Expectation propagation in linear regression models with spike-and-slab priors"
 * @module
 */
import { log } from "../../../core/elementary.js";
import { apply, invertDefinite, symmetric } from "../../../linalg/small-matrices.js";
import { EFFECTS } from "./squared/squared-settings.js";
import type { Believed } from "./believed.js";
import { softmax } from "./softmax.js";

/** A likelihood exp(-a' precision a / 2 + pull' a). */
export interface Told {
  /** [d, d]. */
  readonly precision: Float64Array;
  /** [d]. */
  readonly pull: Float64Array;
}

/** Passes over the coefficients, part of a change that each takes, and the widest site beside the widest size. */
const PASSES = { count: 24, part: 0.6, widest: 3 } as const;

/**
 * A mixture of normals around 0 seen through a normal likelihood of such a precision and mean.
 * @param logs logarithms of the mixture's weights.
 */
function tilted(
  precision: number,
  mean: number,
  sizes: readonly number[],
  logs: ArrayLike<number>,
) {
  const costs = new Float64Array(sizes.length);
  for (let k = 0; k < sizes.length; k++) {
    const variance = sizes[k]! + 1 / precision;
    costs[k] = logs[k]! - log(variance) / 2 - mean ** 2 / (2 * variance);
  }
  const parts = softmax(costs);
  const variances = sizes.map((size) => size / (1 + size * precision));
  const centers = variances.map((variance) => variance * precision * mean);
  const sum = (term: (k: number) => number) =>
    parts.reduce((total, part, k) => total + part * term(k), 0);
  const center = sum((k) => centers[k]!);
  // Around the center: where little is unsure, a difference of squares would be rounding.
  const variance = sum((k) => variances[k]! + (centers[k]! - center) ** 2);
  return { mean: center, variance, parts };
}

/**
 * Mean and covariance of the coefficients, the intercept last.
 * @param scales variances that sizes are multiples of, [d].
 */
export function mixturePosterior({ precision, pull }: Told, scales: Float64Array): Believed {
  const d = scales.length;
  const { slopes, intercept } = EFFECTS;
  const sizes = Array.from(scales, (scale, c) =>
    (c === d - 1 ? intercept : slopes).sizes.map((size) => size * scale),
  );
  let weights = Float64Array.from(slopes.prior);
  const ofIntercept = intercept.prior.map((weight) => log(weight));
  // A coefficient's prior in the posterior: a normal of such a precision, and pull.
  const site = Float64Array.from(sizes, (own, c) => {
    const { prior } = c === d - 1 ? intercept : slopes;
    return 1 / own.reduce((sum, size, k) => sum + prior[k]! * size, 0);
  });
  const sitePull = new Float64Array(d);
  for (let pass = 0; ; pass++) {
    const whole = precision.slice();
    for (let c = 0; c < d; c++) whole[c * (d + 1)]! += site[c]!;
    const error = invertDefinite(symmetric(whole, d), d);
    const mean = apply(
      error,
      pull.map((value, c) => value + sitePull[c]!),
      d,
      d,
    );
    if (pass === PASSES.count) {
      return { mean, error: symmetric(error, d) };
    }
    const counts = new Float64Array(slopes.sizes.length);
    const logs = weights.map((weight) => log(weight));
    for (let c = 0; c < d; c++) {
      const variance = error[c * (d + 1)]!;
      const without = Math.max(1 / variance - site[c]!, 1e-9 / scales[c]!);
      const center = (mean[c]! / variance - sitePull[c]!) / without;
      const found = tilted(without, center, sizes[c]!, c === d - 1 ? ofIntercept : logs);
      if (c < d - 1) for (let k = 0; k < counts.length; k++) counts[k]! += found.parts[k]!;
      const least = 1 / (PASSES.widest * sizes[c]!.at(-1)!);
      const own = Math.max(1 / found.variance - without, least);
      const ownPull = found.mean * (own + without) - without * center;
      site[c]! += PASSES.part * (own - site[c]!);
      sitePull[c]! += PASSES.part * (ownPull - sitePull[c]!);
    }
    weights = counts.map(
      (count, k) => (slopes.count * slopes.prior[k]! + count) / (slopes.count + d - 1),
    );
  }
}
