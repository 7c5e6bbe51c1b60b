/**
 * Allocations of k of t rounds by laws that are known: those of their blocks.
 * @module
 */
import { blockSizes } from "../../../events/random-allocation.js";
import type { EventGroup } from "../../groups.js";
import type { Bound } from "../loss-law.js";

/** By how many sigmas one round may change a sum: below the least or above the most no grid holds the ratio's law. */
const FAINT = 1e-9;
const LOUD = 20;

/**
 * An allocation as its blocks, in each of which one round is drawn (`allocation.ts`); as what bounds it where noise is so large or so small
 * that no grid holds their law.
 */
export function allocationAsKnown(group: EventGroup, bound: Bound): EventGroup[] {
  const { event, count } = group;
  if (event.kind !== "random-allocation") return [group];
  const { rounds, picks, sensitivity, sigma } = event;
  if (sensitivity < FAINT * sigma || sensitivity > LOUD * sigma) {
    return [bound === "upper" ? allocationRevealed(group) : allocationSummed(group)];
  }
  return blockSizes(rounds, picks).map(({ size, blocks }) => {
    const block: EventGroup = {
      event: { ...event, rounds: size, picks: 1 },
      count: count * blocks,
    };
    return size === 1 ? allocationRevealed(block) : block;
  });
}

/** What whoever sees only the sum of all rounds is told, divided by the root of their number: a bound from below, and rounded down. */
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
