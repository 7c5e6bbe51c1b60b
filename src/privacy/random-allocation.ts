/**
 * Rounds of which each task takes part in a few that it draws in secret, as one event.
 * @module
 */
import { integer, nonNegative, positive } from "../core/checks.js";
import { gaussianEvent } from "./events.js";
import type { GaussianEvent, RandomAllocationEvent } from "./event-kinds.js";

/** Longer allocations would need a finer grid than the accountant has. */
const MOST_ROUNDS = 100_000;

/**
 * Random allocation: like Poisson sampling at rate picks / rounds, but every task takes part in exactly `picks` rounds.
 * It is one release: charge it before the first of its rounds. Who takes part, and when, must stay secret; what a round's
 * sum is divided by must be fixed in advance. With several picks epsilon is an upper bound by blocks, and the lower one of
 * `epsilonBounds` comes from sums over rounds. At delta 1e-5 they are within 1 % with noise of twice the sensitivity where one
 * round in ten or fewer is drawn, and of once where one in a hundred is; with more picks or less noise they part (sigma 1: 5 of
 * a hundred rounds 4 %; sigma .5: 2 of a hundred a factor of 2).
 *
 * @param options.sigma  > 0, in every round.
 * @param options.rounds from 1 to 100,000.
 * @param options.picks  from 1 to `rounds`, default 1; all rounds are plain Gaussian releases.
 * @param options.sensitivity l2, of one round; default 1.
 * @param options.adjacency `"zero-out"` only: no theorem covers replace with a known number of tasks.
 * @see Feldman and Shenfeld (2025), "Privacy amplification by random allocation"; `accounting/pld/allocation.ts` has
 *   statement and proof.
 */
export function randomAllocationEvent(options: {
  sigma: number;
  rounds: number;
  picks?: number;
  sensitivity?: number;
  adjacency?: "zero-out";
}): RandomAllocationEvent | GaussianEvent {
  const sigma = positive("sigma", options.sigma);
  const sensitivity = nonNegative("sensitivity", options.sensitivity ?? 1);
  const rounds = integer("rounds", options.rounds, 1, MOST_ROUNDS);
  const picks = integer("picks", options.picks ?? 1, 1, rounds);
  const adjacency = (options.adjacency as string | undefined) ?? "zero-out";
  if (adjacency !== "zero-out") {
    throw new RangeError(
      'adjacency: expected "zero-out" for random allocation (no theorem covers replace with a known number ' +
        `of tasks), got ${JSON.stringify(adjacency)}; account every round as plain Gaussian for replace`,
    );
  }
  if (picks === rounds) {
    return gaussianEvent({
      sigma,
      // Up by more than the root's rounding.
      sensitivity: sensitivity * Math.sqrt(rounds) * (rounds > 1 ? 1 + 2 ** -50 : 1),
      adjacency,
    });
  }
  return { kind: "random-allocation", sigma, sensitivity, adjacency, rounds, picks };
}
