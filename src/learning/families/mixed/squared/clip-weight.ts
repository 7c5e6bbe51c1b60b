/**
 * What a clip leaves of the scores of the fixed effects, in the mean over tasks, from what was released: scores are taken for normal, of the
 * variance that the variances and effects found in the end give them. Of a clipped score the direction tells, too, and it does not
 * turn with what lies along the score: of n directions one is lost (the spatial median: Brown 1983).
 * @module
 */
import { apply, invertDefinite, multiply } from "../../../../linalg/small-matrices.js";

/** Normal quantiles in the middle of fifths. */
const QUANTILES = [-1.2816, -0.5244, 0, 0.5244, 1.2816] as const;

/** Where a score was clipped. */
export interface ClippedAt {
  /** Effects, [d]; working covariance of a task's model around them, made-up tasks' information under it, inverse of the metric, [d, d]. */
  readonly effects: Float64Array;
  readonly spread: Float64Array;
  readonly told: Float64Array;
  readonly inverse: Float64Array;
  /** Most norm of a score in that metric. */
  readonly bound: number;
}

export interface ClipWeight {
  /** In the mean, and what is left beside it of how the sum moves with the effects. */
  readonly weight: number;
  readonly turned: number;
  /** Mean square of what is left of a score. */
  readonly square: number;
}

/**
 * @param directions of which a task's rows tell.
 */
export function clipWeight(
  { effects, spread, told, inverse, bound }: ClippedAt,
  { mean, covariance }: { readonly mean: Float64Array; readonly covariance: Float64Array },
  directions: number,
): ClipWeight {
  const d = effects.length;
  const away = mean.map((value, c) => value - effects[c]!);
  // Of X^T V^-1 r: T (T^-1 - P + C) T, and what the way to the effects adds.
  const around = invertDefinite(told, d);
  for (let at = 0; at < around.length; at++) around[at]! += covariance[at]! - spread[at]!;
  const inner = multiply(multiply(told, around, d, d, d), told, d, d, d);
  const moved = apply(told, away, d, d);
  let square = 0;
  for (let c = 0; c < d; c++) {
    for (let e = 0; e < d; e++) {
      square += (inner[c * d + e]! + moved[c]! * moved[e]!) * inverse[c * d + e]!;
    }
  }
  const size = Math.sqrt(Math.max(square, 1e-12));
  // Roots of chi-squares over their mean (Wilson and Hilferty 1931).
  const part = 2 / (9 * directions);
  let [weight, left, kept] = [0, 0, 0];
  for (const quantile of QUANTILES) {
    const root = Math.max(1 - part + quantile * Math.sqrt(part), 0.05);
    const length = size * root * Math.sqrt(root);
    const own = Math.min(1, bound / length);
    kept += (own * length) ** 2 / QUANTILES.length;
    weight += own / QUANTILES.length;
    left += (own < 1 ? own * (1 - 1 / Math.max(directions, 2)) : own) / QUANTILES.length;
  }
  return { weight, turned: left / weight, square: kept };
}
