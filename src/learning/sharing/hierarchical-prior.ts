/**
 * The hierarchical prior: shared mean and covariance of the models from one noisy release.
 * @module
 */
import type { SharingRule } from "../round/sharing-rule.js";
import { priorMessageLength, spectralPrecision, type PriorRuleOptions } from "./prior.js";

/** Public knowledge of the rule. */
export interface HierarchicalRuleOptions extends PriorRuleOptions {
  /** K: no mean of shared vectors is longer. */
  readonly bound: number;
  /** Standard deviation of each entry of the released mean column. */
  readonly meanDeviation: (round: number) => number;
  /**
   * "center": models are drawn around the mean itself. "direction": around a multiple of it that
   * every task finds for itself, for models that were shared without their length.
   */
  readonly mean: "center" | "direction";
}

/** Prior variance along the mean direction over the mean's own energy: nearly free. */
const FREE = 10;

/**
 * From S = sum [v; 1][v; 1]^T + noise: mean a = S_(1..d, d+1) / m, drawn to 0 as far as
 * it may be noise; covariance S_(1..d, 1..d) - m a a^T, shrunk like that of feature learning.
 * The noisy corner is not read: m is public.
 * Message: C^-1 [d,d] and center a [d]; for "direction" (C + 10 d a a^T / K^2)^-1 and center 0.
 */
export function hierarchicalPriorRule(options: HierarchicalRuleOptions): SharingRule {
  return {
    statistic: "augmented-covariance",
    messageLength: (_m, d) => priorMessageLength(d),
    prepare: ({ core, m, d }) => {
      const inner = core.arena.f64(d * d);
      const toPrecision = spectralPrecision({ core, m, d });
      return (statistic, message, round) => {
        const { arena } = core;
        const noise = options.noise(round);
        const released = arena.view(statistic, (d + 1) ** 2);
        const mean = Float64Array.from({ length: d }, (_, j) => released[j * (d + 1) + d]! / m);
        shrinkMean(mean, options.meanDeviation(round) / m, options.bound);
        const matrix = arena.view(inner, d * d);
        let total = 0;
        for (let j = 0; j < d; j++) {
          for (let k = 0; k < d; k++) {
            matrix[j * d + k] = released[j * (d + 1) + k]! - m * mean[j]! * mean[k]!;
          }
          total += matrix[j * (d + 1)]! - noise.mean;
        }
        const energy = mean.reduce((sum, value) => sum + value * value, 0);
        if (options.norm !== undefined) total = m * Math.max(0, options.norm ** 2 - energy);
        const rank = toPrecision(inner, message, noise, total, options);
        const precision = arena.view(message, d * d);
        const center = arena.view(message + 8 * d * d, d).fill(0);
        if (energy > 0 && options.mean === "center") center.set(mean);
        if (energy > 0 && options.mean === "direction") {
          free(precision, mean, (FREE * d) / (options.norm! * options.norm!));
        }
        return { rank };
      };
    },
  };
}

/**
 * Positive-part James-Stein towards 0, in place, less two standard deviations of what noise alone
 * (d entries of this deviation) would leave; 0 for certain where no mean within `bound` could stand out.
 */
function shrinkMean(mean: Float64Array, deviation: number, bound: number): void {
  const d = mean.length;
  const energy = mean.reduce((sum, value) => sum + value * value, 0);
  const noise = d * deviation * deviation;
  const silence = 2 * Math.sqrt(2 / d);
  const heard = bound * bound > silence * noise && energy > (1 + silence) * noise;
  const factor = heard ? 1 - ((1 + silence) * noise) / energy : 0;
  for (let j = 0; j < d; j++) mean[j]! *= factor;
}

/** P <- (P^-1 + weight a a^T)^-1 in place (Sherman and Morrison). */
function free(precision: Float64Array, a: Float64Array, weight: number): void {
  const d = a.length;
  const image = Float64Array.from({ length: d }, (_, j) => {
    let sum = 0;
    for (let k = 0; k < d; k++) sum += precision[j * d + k]! * a[k]!;
    return sum;
  });
  const gain = 1 / weight + image.reduce((sum, value, j) => sum + value * a[j]!, 0);
  for (let j = 0; j < d; j++) {
    for (let k = 0; k < d; k++) precision[j * d + k]! -= (image[j]! * image[k]!) / gain;
  }
}
