/**
 * Standard errors of what is one of several things: half as wide as they have to be for an interval to hold a part of the probability. A
 * mixture's own deviation is mostly that of its widest normal, however unlikely that is.
 * @module
 */
import { normalCdf } from "../../../../privacy/accounting/special/erfc.js";

/** A normal of a mixture. */
export interface PartNormal {
  readonly weight: number;
  readonly mean: number;
  readonly variance: number;
}

/** Halvings: relative error below a millionth. */
const HALVINGS = 40;

/**
 * The deviation of a normal around 0 whose interval from -h to h holds such a part, where the mixture's does.
 * @param mixture weights sum to 1.
 * @param quantile of the standard normal: between minus it and it lies the part.
 */
export function deviationHolding(mixture: readonly PartNormal[], quantile: number): number {
  const part = 1 - 2 * normalCdf(-quantile);
  let [low, high] = [0, 0];
  for (const { mean, variance } of mixture) {
    high = Math.max(high, Math.abs(mean) + (quantile + 1) * Math.sqrt(variance));
  }
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    const held = mixture.reduce((sum, { weight, mean, variance }) => {
      const deviation = Math.sqrt(variance);
      const outside =
        normalCdf((-middle - mean) / deviation) + normalCdf((mean - middle) / deviation);
      return sum + weight * (1 - outside);
    }, 0);
    if (held < part) low = middle;
    else high = middle;
  }
  return high / quantile;
}
