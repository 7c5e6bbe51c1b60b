/**
 * Allocations of k of t rounds by laws that are known: bounds from above and below.
 * @module
 */
import type { EventGroup } from "../groups.js";

/** Multiples of the noise that one round may change a sum by: beyond, no grid holds the ratio's law. */
const FAINT = 1e-9;
const LOUD = 4;

/**
 * From above, k allocations of one of floor(t / k) rounds dominate (allocation.ts). From below, one of t is known exactly; of
 * more picks the sum of all rounds, a post-processing, which is a shift by k / sqrt(t).
 */
export function allocationAsKnown(group: EventGroup, upper: boolean): EventGroup {
  const { event, count } = group;
  if (event.kind !== "random-allocation") return group;
  const { rounds, picks, sensitivity, sigma } = event;
  const block = Math.floor(rounds / picks);
  const unresolved = sensitivity < FAINT * sigma || sensitivity > LOUD * sigma;
  if (!upper && (picks > 1 || unresolved)) return allocationSummed(group);
  if (upper && (block === 1 || unresolved)) return allocationRevealed(group);
  return { event: { ...event, rounds: block, picks: 1 }, count: count * picks };
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
