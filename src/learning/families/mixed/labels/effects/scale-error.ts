/**
 * What fixed effects of labels are off by because nobody knows how far tasks lie apart: the farther, the larger the effects that
 * explain the same labels.
 * @module
 */
import { log } from "../../../../../core/elementary.js";
import { inflation, PROBIT } from "./logistic-attenuation.js";
import type { Hypotheses } from "../evidence/logistic-hypotheses.js";

/**
 * Variance of the logarithm of the factor that all effects are off by: over the belief in the hypotheses, and over the scales that
 * each of them stands for, as far as half way to the next.
 * @param belief  probabilities of the hypotheses, [count].
 * @param squares mean squares of the columns, [d].
 */
export function scaleError(
  { count, scales, positions }: Hypotheses,
  belief: Float64Array,
  squares: Float64Array,
): number {
  const d = squares.length;
  const [slopeStep, interceptStep] = [0, 1].map((k) => stepOf(positions, count, k));
  let [mean, square, within] = [0, 0, 0];
  for (let h = 0; h < count; h++) {
    const own = scales.subarray(h * d, (h + 1) * d);
    const whole = inflation(own, squares);
    const factor = log(whole) / 2;
    mean += belief[h]! * factor;
    square += belief[h]! * factor * factor;
    const intercept = (PROBIT * own[d - 1]! ** 2 * squares[d - 1]!) / whole;
    const slopes = 1 - 1 / whole - intercept;
    within += (belief[h]! * ((slopes * slopeStep!) ** 2 + (intercept * interceptStep!) ** 2)) / 12;
  }
  return Math.max(square - mean * mean, 0) + within;
}

/** Mean distance of neighbours among the positions along one axis; 0 where there is one alone. */
function stepOf(positions: Float64Array, count: number, axis: number): number {
  const own = new Set(Array.from({ length: count }, (_, h) => positions[2 * h + axis]!));
  const [least, most] = [Math.min(...own), Math.max(...own)];
  return own.size > 1 ? (most - least) / (own.size - 1) : 0;
}
