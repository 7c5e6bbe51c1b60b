/**
 * The shape of the budgets over rounds: b_t = b_0 s_t.
 * @module
 */
import * as math from "../core/elementary.js";
import { finite, integer, positive } from "../core/checks.js";

/**
 * The shape s_t of the budgets, t = 1..T: 1, t^exponent, or ratio^-t. A positive exponent or a ratio
 * below 1 spends more in late rounds.
 */
export type Schedule =
  | { kind: "constant" }
  | {
      kind: "polynomial";
      /** p of s_t = t^p, any finite number; above 0 late rounds get more. */
      exponent: number;
    }
  | {
      kind: "geometric";
      /** r of s_t = r^-t, > 0; below 1 late rounds get more. */
      ratio: number;
    };

/** Most rounds of a plan: each has an event of its own in memory and in the ledger. */
export const MOST_ROUNDS = 1_000_000;

/** s_1..s_T of a schedule, 1 <= T <= {@link MOST_ROUNDS}. */
export function scheduleWeights(schedule: Schedule, rounds: number): Float64Array {
  integer("rounds", rounds, 1, MOST_ROUNDS);
  switch (schedule.kind) {
    case "constant":
      return new Float64Array(rounds).fill(1);
    case "polynomial": {
      const exponent = finite("exponent", schedule.exponent);
      return Float64Array.from({ length: rounds }, (_, i) => math.pow(i + 1, exponent));
    }
    case "geometric": {
      const ratio = positive("ratio", schedule.ratio);
      return Float64Array.from({ length: rounds }, (_, i) => math.pow(ratio, -(i + 1)));
    }
    default:
      throw new RangeError(
        `schedule.kind: expected constant, polynomial or geometric; got ${JSON.stringify((schedule as { kind: unknown }).kind)}`,
      );
  }
}
