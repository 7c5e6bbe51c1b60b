/**
 * Random allocation of k of t rounds, expressed by loss distributions that are known: those of its blocks.
 * @module
 */
import { blockSizes } from "../../../events/random-allocation.js";
import type { EventGroup } from "../../groups.js";
import type { Bound } from "../loss-law.js";

/** Sensitivity of a round in units of sigma, below or above which no grid holds the distribution of the privacy loss. */
const FAINT = 1e-9;
const LOUD = 20;

/**
 * An allocation as its blocks, in each of which one round is drawn (`allocation.ts`). Where noise is so large or so small that no grid holds
 * their loss: plain Gaussian rounds that bound it, from above or below as asked.
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

/** A lower bound: the view of an adversary who sees only the sum of all rounds, over the root of their number; rounded down. */
export function allocationSummed(group: EventGroup): EventGroup {
  const { event, count } = group;
  if (event.kind !== "random-allocation") return group;
  const { rounds, picks, sigma, adjacency } = event;
  const sensitivity = ((event.sensitivity * picks) / Math.sqrt(rounds)) * (1 - 2 ** -50);
  return { event: { kind: "gaussian", sigma, sensitivity, adjacency }, count };
}

/** An upper bound: an adversary who is told which rounds were drawn sees `picks` plain ones, which dominate the allocation. */
export function allocationRevealed(group: EventGroup): EventGroup {
  const { event, count } = group;
  if (event.kind !== "random-allocation") return group;
  const { picks, sigma, sensitivity, adjacency } = event;
  return { event: { kind: "gaussian", sigma, sensitivity, adjacency }, count: count * picks };
}
