/**
 * The hierarchical prior: shared mean and covariance of the models from one noisy release.
 * @module
 */
import type { SharingRule } from "../../round/sharing-rule.js";
import {
  priorBroadcastLength,
  PriorSpectrum,
  refinedCoordinates,
  type PriorRuleOptions,
} from "./covariance-prior.js";

/** Public knowledge of the rule. */
export interface HierarchicalRuleOptions extends PriorRuleOptions {
  /** K: no mean of uploads is longer. */
  readonly bound: number;
  /** Standard deviation of each entry of the released mean column. */
  readonly meanDeviation: (round: number) => number;
  /**
   * "center": models are drawn around the mean itself. "direction": around a multiple of it that
   * every task finds for itself, for models that were shared without their length.
   */
  readonly mean: "center" | "direction";
}

/**
 * From S = sum [v; 1][v; 1]^T + noise: mean a = S_(1..d, d+1) / m, drawn to 0 as far as
 * it may be noise; covariance S_(1..d, 1..d) - m a a^T, shrunk like that of feature learning.
 * The noisy corner is not read: m is public.
 *
 * Broadcast: C^-1 [d,d] and center a [d]. For "direction" the center is 0, and the mean's own part of
 * the energy, ||a||^2 / K^2, is put back into C along it; from the second round on the vectors are
 * read as expressed in the coordinates of the prior before, which a round refines.
 */
export function hierarchicalPriorRule(options: HierarchicalRuleOptions): SharingRule {
  return {
    statistic: "augmented-covariance",
    broadcastLength: (_m, d) => priorBroadcastLength(d),
    prepare: ({ core, m, d }) => {
      const inner = core.arena.f64(d * d);
      const refined = refinedCoordinates(options, core, d);
      const spectrum = new PriorSpectrum({ core, m, d }, refined);
      return (statistic, broadcast, round) => {
        const { arena } = core;
        const noise = options.noise(round);
        const released = arena.view(statistic, (d + 1) ** 2);
        const mean = Float64Array.from({ length: d }, (_, j) => released[j * (d + 1) + d]! / m);
        const energy = shrinkMean(mean, options.meanDeviation(round) / m, options.bound);
        const matrix = arena.view(inner, d * d);
        let total = 0;
        for (let j = 0; j < d; j++) {
          for (let k = 0; k < d; k++) {
            matrix[j * d + k] = released[j * (d + 1) + k]! - m * mean[j]! * mean[k]!;
          }
          total += matrix[j * (d + 1)]! - noise.mean;
        }
        if (options.norm !== undefined) total = m * (options.norm ** 2 - energy);
        const part =
          energy /
          (options.norm === undefined ? energy + Math.max(0, total / m) : options.bound ** 2);
        const rank = spectrum.read(inner, noise, total, options);
        const center = arena.view(broadcast + 8 * d * d, d).fill(0);
        if (options.mean === "center") center.set(mean);
        else if (energy > 0) spectrum.addMean(mean, Math.min(part, MOST));
        spectrum.write(broadcast);
        refined?.enter(broadcast);
        return { rank };
      };
    },
  };
}

/** Most of the energy that is taken for the mean's: the tasks differ. */
const MOST = 0.95;

/**
 * Positive-part James-Stein towards 0, in place, less two standard deviations of what noise alone
 * (d entries of this deviation) would leave, or up to four where a mean within `bound` hardly stands
 * out; 0 for certain where none could.
 *
 * @returns the energy kept, within the bound's.
 */
function shrinkMean(mean: Float64Array, deviation: number, bound: number): number {
  const d = mean.length;
  const energy = mean.reduce((sum, value) => sum + value * value, 0);
  const noise = d * deviation * deviation;
  const strictness = noise > 0 ? 2 + Math.min(2, Math.max(0, 4 - (bound * bound) / noise)) : 2;
  const excess = strictness * Math.sqrt(2 / d);
  const significant = bound * bound > excess * noise && energy > (1 + excess) * noise;
  const kept = significant ? Math.min(energy - (1 + excess) * noise, MOST * bound * bound) : 0;
  const factor = energy > 0 ? Math.sqrt(kept / energy) : 0;
  for (let j = 0; j < d; j++) mean[j]! *= factor;
  return kept;
}
