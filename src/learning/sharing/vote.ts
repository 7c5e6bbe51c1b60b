/**
 * The private pooled choice: which candidate suits the tasks together.
 * @module
 */
import type { SharingRule } from "../round/sharing-rule.js";

/** What the curator knows of the candidates beside the votes. */
export interface VoteOptions {
  /** Distance of every candidate from the public default, in units of belief. */
  readonly distances: readonly number[];
  /** Standard deviation of the noise on every sum. */
  readonly deviation: number;
}

/** Weight of the squared distance in units of the noise: so much noise stays near the default. */
const CAUTION = 0.3;

/**
 * Takes the least of the noisy sums of the tasks' vote vectors, a distance from the default counting
 * as much as the noise makes wise. Message: the position of the candidate.
 *
 * A vote is a task's costs of the candidates, centred and of norm at most 1, so that one task moves
 * the released sum by at most 1 (zero-out) or 2 (replace) in l2.
 */
export function voteRule({ distances, deviation }: VoteOptions): SharingRule {
  return {
    statistic: "vector",
    messageLength: () => 1,
    prepare:
      ({ core, d }) =>
      (statistic, message) => {
        const sums = core.arena.view(statistic, d);
        let best = 0;
        let least = Infinity;
        for (let k = 0; k < d; k++) {
          const cost = sums[k]! + CAUTION * deviation * distances[k]! ** 2;
          if (cost >= least) continue;
          least = cost;
          best = k;
        }
        core.arena.view(message, 1)[0] = best;
        return {};
      },
  };
}

/** Costs differing by less than this are not blown up to a full vote. */
const QUIET = 0.3;

/** Below 1 by more than the rounding of a vote, so that a curator who clips it again changes nothing. */
const WITHIN = 1 - 2 ** -46;

/**
 * Every task's vote from its costs [m, K]: centred, divided by the number of its rows where the cost
 * is a sum over them, and held to norm 1. A task whose costs are not finite abstains: its divergence must
 * neither show in the sum nor spoil it.
 *
 * @param perRow [m], what to divide each task's costs by.
 */
export function votes(costs: Float64Array, perRow: ArrayLike<number>): Float64Array {
  const m = perRow.length;
  const count = costs.length / m;
  const out = new Float64Array(costs.length);
  for (let i = 0; i < m; i++) {
    const own = costs.subarray(i * count, (i + 1) * count).map((cost) => cost / perRow[i]!);
    const mean = own.reduce((sum, cost) => sum + cost, 0) / count;
    const norm = Math.sqrt(own.reduce((sum, cost) => sum + (cost - mean) ** 2, 0));
    if (!(norm < Infinity)) continue;
    const scale = WITHIN / Math.max(norm, QUIET);
    for (let k = 0; k < count; k++) out[i * count + k] = (own[k]! - mean) * scale;
  }
  return out;
}
