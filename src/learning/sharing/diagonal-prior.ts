/**
 * The prior of feature learning from the noisy diagonal of W W^T: one variance per feature.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { priorMessageLength } from "./prior.js";
import type { ShrinkageOptions } from "./shrink-spectrum.js";

/** Public knowledge of the rule. */
export interface DiagonalPriorOptions extends ShrinkageOptions {
  /** Standard deviation and high quantile of each entry's noise in a round. */
  readonly noise: (round: number) => { edge: number; deviation: number };
  /** K when every shared vector has norm K exactly; else the sum of the release is taken. */
  readonly norm: number | undefined;
}

/**
 * Variances c_j from S_jj = sum_i v_ij^2 + noise: max(0, S_jj - c e) and a floor of a thirtieth of
 * the noise, scaled to mean 1. With "optimal" they are then drawn towards 1 on the logarithmic
 * scale by B = 1 - (d - 3) s^2 / sum_j (S_jj - mean)^2, the positive-part James-Stein factor: where
 * the release is all noise every c_j is 1 and every task learns alone.
 * Message: diag(1 / c_j) [d,d], center 0 [d].
 *
 * @see Efron and Morris (1973), for the factor.
 */
export function diagonalPriorRule(options: DiagonalPriorOptions): SharingRule {
  return {
    statistic: "diagonal",
    messageLength: (_m, d) => priorMessageLength(d),
    prepare:
      ({ core, m, d }) =>
      (statistic, message, round) => {
        const released = core.arena.view(statistic, d);
        const { edge, deviation } = options.noise(round);
        const sum = released.reduce((total, value) => total + value, 0);
        const total = options.norm === undefined ? Math.max(sum, 0) : m * options.norm ** 2;
        const blend = options.shrinkage === "edge" ? 1 : jamesStein(released, deviation);
        const out = core.arena.view(message, priorMessageLength(d)).fill(0);
        const floor =
          options.floor === "auto" ? 0.03 * deviation + 1e-3 * (total / d) : options.floor;
        const kept = released.map((value) => Math.max(0, value - options.edge * edge) + floor);
        const mean = kept.reduce((a, b) => a + b, 0) / d;
        let rank = 0;
        for (let j = 0; j < d; j++) {
          if (blend > 0 && kept[j]! > floor) rank++;
          out[j * (d + 1)] = mean > 0 ? math.pow(kept[j]! / mean, -blend) : 1;
        }
        return { rank };
      },
  };
}

function jamesStein(values: Float64Array, deviation: number): number {
  const d = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / d;
  const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (spread === 0) return 0;
  return Math.max(0, 1 - (Math.max(1, d - 3) * deviation * deviation) / spread);
}
