/**
 * Quantiles of mixtures of normal distributions.
 * @module
 */
import { normalCdf } from "../../../privacy/accounting/special/erfc.js";

/** Weights that sum to 1, means, and variances. */
export interface NormalMixture {
  readonly weights: ArrayLike<number>;
  readonly means: ArrayLike<number>;
  readonly variances: ArrayLike<number>;
}

/** Bisections: to 2^-50 of where the mass is. */
const STEPS = 50;
/** Standard deviations within which all but 1e-15 of a normal distribution lies. */
const REACH = 8;

/** The value below which the mixture lies with probability p in (0, 1). */
export function mixtureQuantile({ weights, means, variances }: NormalMixture, p: number): number {
  const deviations = Array.from(variances, (value) => Math.sqrt(Math.max(value, 1e-300)));
  let [low, high] = [Infinity, -Infinity];
  deviations.forEach((deviation, k) => {
    if (!(weights[k]! > 0)) return;
    low = Math.min(low, means[k]! - REACH * deviation);
    high = Math.max(high, means[k]! + REACH * deviation);
  });
  for (let step = 0; step < STEPS; step++) {
    const middle = low + (high - low) / 2;
    let below = 0;
    deviations.forEach((deviation, k) => {
      if (weights[k]! > 0) below += weights[k]! * normalCdf((middle - means[k]!) / deviation);
    });
    if (below < p) low = middle;
    else high = middle;
  }
  return high;
}
