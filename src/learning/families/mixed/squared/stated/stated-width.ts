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
  const deviations = Float64Array.from(mixture, ({ variance }) => Math.sqrt(variance));
  let high = 0;
  for (let k = 0; k < deviations.length; k++) {
    high = Math.max(high, Math.abs(mixture[k]!.mean) + (quantile + 1) * deviations[k]!);
  }
  const more = (width: number) => {
    let held = 0;
    for (let k = 0; k < deviations.length; k++) {
      const { weight, mean } = mixture[k]!;
      const deviation = deviations[k]!;
      const below = normalCdf((-width - mean) / deviation);
      held += weight * (1 - below - normalCdf((mean - width) / deviation));
    }
    return held - part;
  };
  return increasingRoot(more, { low: 0, below: -part, high }) / quantile;
}

/** Where an increasing function is 0: secants within a bracket, the Illinois rule (Dowell and Jarratt 1971). */
function increasingRoot(
  of: (x: number) => number,
  given: { readonly low: number; readonly below: number; readonly high: number },
): number {
  let { low, below, high } = given;
  let above = of(high);
  let side = 0;
  for (let step = 0; step < MOST_STEPS && high - low > ERROR.width * high; step++) {
    const middle = low + ((high - low) * below) / (below - above);
    const value = of(middle);
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
