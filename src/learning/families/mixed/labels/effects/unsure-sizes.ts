/**
 * The effect of a column on whose size tasks voted, averaged over what the votes leave. If the column is r times as large as voted, scores tell
 * r^2 times what was reckoned of a unit of its effect, and the effect of a voted unit is 1 / r of those of columns that are as large as voted. Where a vote did
 * not stand out of its noise nothing is known of either.
 * @module
 */
import { exp, log } from "../../../../../core/elementary.js";
import { softmax } from "../../../../../linalg/softmax.js";

/** One effect as scores measured it, those of the others averaged over. */
export interface MeasuredEffect {
  readonly value: number;
  /** How far off the measurement is reckoned to be when it is weighed against the prior, and how far it is. */
  readonly reckoned: number;
  readonly variance: number;
  /** Variance of the prior, of a column that is as large as voted. */
  readonly prior: number;
}

/** Logarithms of r, in their deviations. */
const STEPS = [-2, -1, 0, 1, 2] as const;

/** Mean and variance of the error. @param unsure deviation of the logarithm of r. */
export function overSizes(
  { value, reckoned, variance, prior }: MeasuredEffect,
  unsure: number,
): { readonly mean: number; readonly variance: number } {
  const found = STEPS.map((step) => {
    const square = exp(2 * step * unsure);
    const own = prior / square;
    const gain = own / (own + reckoned / square ** 2);
    // What was measured is r^2 times the effect.
    const seen = reckoned + prior * square;
    return {
      mean: (gain * value) / square,
      variance: gain ** 2 * (variance / square ** 2) + (1 - gain) ** 2 * own,
      evidence: -(step ** 2 + log(seen) + value ** 2 / seen) / 2,
    };
  });
  const weights = softmax(found.map(({ evidence }) => evidence));
  const mean = found.reduce((sum, one, k) => sum + weights[k]! * one.mean, 0);
  return {
    mean,
    variance: found.reduce(
      (sum, one, k) => sum + weights[k]! * (one.variance + (one.mean - mean) ** 2),
      0,
    ),
  };
}
