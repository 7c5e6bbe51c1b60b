/**
 * The prior of feature learning from the noisy diagonal of W W^T: one variance per feature.
 * @module
 */
import { erfcx } from "../../../../privacy/accounting/special/erfc.js";
import type { SharingRule } from "../../../round/sharing-rule.js";
import { priorBroadcastLength } from "./covariance-prior.js";
import type { ShrinkageOptions } from "../options.js";

/** Public knowledge of the rule. */
export interface DiagonalPriorOptions extends ShrinkageOptions {
  /** Standard deviation and high quantile of each entry's noise in a round. */
  readonly noise: (round: number) => { edge: number; deviation: number };
  /** K when every upload has norm K exactly; else the sum of the release is taken. */
  readonly norm: number | undefined;
}

/** Smallest variance of a feature over all rounds, the mean being 1. */
const LEAST = 1e-4;

/**
 * Variances c_j from S_jj = sum_i v_ij^2 + noise, scaled to mean 1. "optimal": the posterior mean of
 * a nonnegative s_j with an exponential prior, whose mean the known total gives, under normal noise:
 * close to S_jj where that stands out, and to the prior mean where the release is all noise, so
 * that every task then learns alone. "edge": max(0, S_jj - c e) and a floor.
 *
 * Vectors of a known norm are read, from the second round on, as divided by the deviations c^(1/2) of
 * the prior before, which a round refines. Broadcast: diag(1 / c_j) [d,d], center 0 [d].
 */
export function diagonalPriorRule(options: DiagonalPriorOptions): SharingRule {
  return {
    statistic: "diagonal",
    broadcastLength: (_m, d) => priorBroadcastLength(d),
    prepare: ({ core, m, d }) => {
      let variances = new Float64Array(d).fill(1);
      return (statistic, broadcast, round) => {
        const released = core.arena.view(statistic, d);
        const { edge, deviation } = options.noise(round);
        const sum = released.reduce((total, value) => total + value, 0);
        const total = options.norm === undefined ? Math.max(sum, 0) : m * options.norm ** 2;
        const mean = total / d;
        const floor =
          options.floor !== "auto"
            ? options.floor
            : 1e-3 * mean + (options.shrinkage === "edge" ? 0.03 * deviation : 0);
        const kept = released.map((value) =>
          options.shrinkage === "edge"
            ? Math.max(0, value - options.edge * edge) + floor
            : Math.max(floor, total > 0 ? posteriorMean(value, deviation, mean) : 1),
        );
        const known = options.norm === undefined ? undefined : variances;
        variances = scaled(kept.map((value, j) => value * (known?.[j] ?? 1)));
        const out = core.arena.view(broadcast, priorBroadcastLength(d)).fill(0);
        for (let j = 0; j < d; j++) out[j * (d + 1)] = 1 / variances[j]!;
        return { rank: released.filter((value) => value > edge).length };
      };
    },
  };
}

/** To mean 1, and at least LEAST. */
function scaled(values: Float64Array): Float64Array<ArrayBuffer> {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Float64Array.from(values, (value) => (mean > 0 ? Math.max(LEAST, value / mean) : 1));
}

/**
 * E[s | S] for s exponential with this mean and S normal around s: the mean of a normal law around
 * S - deviation^2 / mean, cut off at 0.
 */
function posteriorMean(value: number, deviation: number, mean: number): number {
  if (deviation === 0) return Math.max(0, value);
  const a = value / deviation - deviation / mean;
  // a + phi(a) / Phi(a); far below 0 the two cancel.
  const c = 1 / (a * a);
  const excess =
    a < -30 ? (c * (2 - 10 * c) - 1) / a : a + Math.sqrt(2 / Math.PI) / erfcx(-a * Math.SQRT1_2);
  return deviation * excess;
}
