/**
 * Allocations of k of t rounds by laws that are known: bounds from above and below.
 * @module
 */
import type { EventGroup } from "../groups.js";

/** Multiples of the noise that one round may change a sum by: beyond, no grid holds the ratio's law. */
const FAINT = 1e-9;
const LOUD = 4;

/**
 * From above, one allocation of one round for each of k blocks dominates (allocation.ts). From below, one of t is known
 * exactly, and of more picks a sum over rounds (allocation-sum.ts); at worst the sum of all rounds.
 */
export function allocationAsKnown(group: EventGroup, upper: boolean): EventGroup[] {
  const { event, count } = group;
  if (event.kind !== "random-allocation") return [group];
  const { rounds, picks, sensitivity, sigma } = event;
  const unresolved = sensitivity < FAINT * sigma || sensitivity > LOUD * sigma;
  if (!upper) return [unresolved ? allocationSummed(group) : group];
  if (unresolved) return [allocationRevealed(group)];
  const [size, longer] = [Math.floor(rounds / picks), rounds % picks];
  return [
    { size, blocks: picks - longer },
    { size: size + 1, blocks: longer },
  ]
    .filter(({ blocks }) => blocks > 0)
    .map(({ size: of, blocks }) => {
      const block: EventGroup = {
        event: { ...event, rounds: of, picks: 1 },
        count: count * blocks,
      };
      return of === 1 ? allocationRevealed(block) : block;
    });
}

/** The sum of all rounds, divided by the root of their number. */
export function allocationSummed(group: EventGroup): EventGroup {
  const { event, count } = group;
  if (event.kind !== "random-allocation") return group;
  const { rounds, picks, sigma, adjacency } = event;
  const sensitivity = ((event.sensitivity * picks) / Math.sqrt(rounds)) * (1 - 2 ** -50);
  return { event: { kind: "gaussian", sigma, sensitivity, adjacency }, count };
}

/** Whoever is told which rounds were drawn sees `picks` plain ones, which dominate. */
export function allocationRevealed(group: EventGroup): EventGroup {
  const { event, count } = group;
  if (event.kind !== "random-allocation") return group;
  const { picks, sigma, sensitivity, adjacency } = event;
  return { event: { kind: "gaussian", sigma, sensitivity, adjacency }, count: count * picks };
}
