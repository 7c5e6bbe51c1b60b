/**
 * Rounds of which each task takes part in a few that it draws in secret, as one event.
 * @module
 */
import { integer, nonNegative, object, positive } from "../../core/checks.js";
import { gaussianEvent } from "./events.js";
import type { GaussianEvent, RandomAllocationEvent } from "./event-kinds.js";

/** Longer allocations would need a finer grid than the accountant has. */
const MOST_ROUNDS = 100_000;

/**
 * Lengths of the blocks that an allocation divides its rounds into, one for each pick: they differ by one at most, the longer ones
 * come first.
 */
export function blockSizes(rounds: number, picks: number): { size: number; blocks: number }[] {
  const [size, longer] = [Math.floor(rounds / picks), rounds % picks];
  return [
    { size: size + 1, blocks: longer },
    { size, blocks: picks - longer },
  ].filter(({ blocks }) => blocks > 0);
}

/**
 * Random allocation: like Poisson sampling at rate picks / rounds, but every task takes part in exactly `picks` rounds. The rounds
 * are divided in advance into as many blocks, whose lengths differ by one at most, and it draws one of each. It is one release:
 * charge it before the first of its rounds. Who takes part, and when, must stay secret; what a round's sum is divided by must be
 * fixed in advance. Epsilon is within 1 % of the lower bound of `epsilonBounds` with noise from a twentieth to ten million
 * times the sensitivity, at a delta from 1e-16 on; with less of either it may be that of `picks` rounds that are known. Where every
 * set of `picks` rounds is as likely instead, epsilon is as valid, and the lower bound is not.
 *
 * @param options.sigma  > 0, in every round.
 * @param options.rounds from 1 to 100,000.
 * @param options.picks  from 1 to `rounds`, default 1; all rounds are plain Gaussian releases.
 * @param options.sensitivity l2, of one round; default 1.
 * @param options.adjacency `"zero-out"` only: no theorem covers replace with a known number of tasks.
 * @throws RangeError or TypeError naming what is out of range, and for another adjacency.
 * @see Feldman and Shenfeld (2025), "Privacy amplification by random allocation"; `accounting/pld/allocation/allocation.ts` has
 *   statement and proof.
 */
export function randomAllocationEvent(options: {
  sigma: number;
  rounds: number;
  picks?: number;
  sensitivity?: number;
  adjacency?: "zero-out";
}): RandomAllocationEvent | GaussianEvent {
  const sigma = positive("sigma", object("options", options).sigma);
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
