/**
 * Standard errors of what is one of several things: half as wide as they have to be for an interval to hold a part of the probability. A
 * mixture's own deviation is mostly that of its widest normal, however unlikely that is.
 * @module
 */
import { normalCdf } from "../../../../../privacy/accounting/special/erfc.js";

/** A normal of a mixture. */
export interface PartNormal {
  readonly weight: number;
  readonly mean: number;
  readonly variance: number;
}

/** Error of the part that is held, at which the search ends, and of the width relative to it. */
const ERROR = { part: 1e-13, width: 1e-12 } as const;
const MOST_STEPS = 200;

/**
 * The deviation of a normal around 0 whose interval from -h to h holds such a part, where the mixture's does.
 * @param mixture weights sum to 1.
 * @param quantile of the standard normal: between minus it and it lies the part.
 */
export function deviationHolding(mixture: readonly PartNormal[], quantile: number): number {
  const part = 1 - 2 * normalCdf(-quantile);
  const deviations = new Float64Array(mixture.length);
  let high = 0;
  for (let k = 0; k < deviations.length; k++) {
    const { mean, variance } = mixture[k]!;
    deviations[k] = Math.sqrt(variance);
    high = Math.max(high, Math.abs(mean) + (quantile + 1) * deviations[k]!);
  }
  return widthWith(mixture, deviations, part, high) / quantile;
}

/** How much of a mixture is between -width and width. */
function heldBy(mixture: readonly PartNormal[], deviations: Float64Array, width: number): number {
  let held = 0;
  for (let k = 0; k < deviations.length; k++) {
    const { weight, mean } = mixture[k]!;
    const deviation = deviations[k]!;
    const below = normalCdf((-width - mean) / deviation);
    held += weight * (1 - below - normalCdf((mean - width) / deviation));
  }
  return held;
}

/** The width that holds such a part: secants within a bracket, the Illinois rule (Dowell and Jarratt 1971). @param most one that holds more. */
function widthWith(
  mixture: readonly PartNormal[],
  deviations: Float64Array,
  part: number,
  most: number,
): number {
  let [low, below, high] = [0, -part, most];
  let above = heldBy(mixture, deviations, high) - part;
  let side = 0;
  for (let step = 0; step < MOST_STEPS && high - low > ERROR.width * high; step++) {
    const middle = low + ((high - low) * below) / (below - above);
    const value = heldBy(mixture, deviations, middle) - part;
    if (Math.abs(value) <= ERROR.part) return middle;
    if (value < 0) {
      [low, below] = [middle, value];
      if (side < 0) above /= 2;
      side = -1;
    } else {
      [high, above] = [middle, value];
      if (side > 0) below /= 2;
      side = 1;
    }
  }
  return high;
}
