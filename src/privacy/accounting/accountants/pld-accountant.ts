/**
 * Numerical accounting by privacy loss distributions: any mix of events, close to exact, on the safe
 * side, with an optimistic counterpart that shows how close.
 *
 * Dominating pairs compose (Zhu, Dong, Wang 2022, Theorem 10): events are replaced by their pairs'
 * loss laws, in both directions where those differ, and composed on a grid. A pure event enters as
 * randomized response. One-sided Wishart rounds, whose law is known under zero-out, take two steps under
 * replace (pld/two-steps.ts).
 * @module
 */
import * as math from "../../../core/elementary.js";
import { defineAccountant } from "./accountant.js";
import { claimedDelta, claimedEpsilon } from "../figures.js";
import { pureEpsilonOf, type EventGroup } from "../groups.js";
import { composeLosses } from "../pld/compose.js";
import { mergeGroups } from "../pld/merge.js";
import { allocationRevealed, allocationSummed } from "../pld/allocation/allocation-blocks.js";
import { isSymmetric, lossLaw } from "../pld/laws.js";
import type { Part } from "../pld/loss-law.js";
import type { Target } from "../pld/tilt.js";
import { infiniteMass, totalVariation } from "../pld/parts.js";
import { readDelta, readEpsilon } from "../pld/read.js";
import { twoStepDelta, twoStepEpsilon, type TwoSteps } from "../pld/two-steps.js";
import { roundUp, sum } from "../rounding.js";
import type { Bound, Direction } from "../pld/loss-law.js";
import { remembered } from "../pld/remembered.js";

/** Relative error of epsilon aimed at. */
const ACCURACY = 2e-7;
/** Enough to see that one direction is the lesser. */
const COARSE = 1e-3;
/** Sums of masses are rounded by less than 1e-10 of themselves; nearer to 1 no grid is coarse enough to pay for that. */
const NEXT_TO_ONE = 1 - 1e-9;
/** Far above what the grids of an allocation of 100,000 blocks do not hold. */
const RESOLVED = 1e-12;

function partsOf(groups: readonly EventGroup[], direction: Direction): Part[] {
  return groups.map(({ event, count }) => ({ law: lossLaw(event, direction)!, count }));
}

function directionsOf(groups: readonly EventGroup[]): Direction[] {
  return groups.every(({ event }) => isSymmetric(event))
    ? ["with-against-without"]
    : ["with-against-without", "without-against-with"];
}

function epsilonIn(
  parts: readonly Part[],
  delta: number,
  bound: Bound,
  accuracy = ACCURACY,
): number {
  const infinite = infiniteMass(parts, bound);
  if (infinite >= delta) return Infinity;
  if (totalVariation(parts) <= delta) return 0;
  const target: Target = { kind: "delta", logDelta: math.log(delta - infinite) };
  const asked = bound === "upper" ? Math.min(delta, NEXT_TO_ONE) : delta;
  return readEpsilon(composeLosses(parts, target, bound, accuracy), asked, bound);
}

function deltaIn(parts: readonly Part[], epsilon: number, accuracy = ACCURACY): number {
  const greatest = roundUp(sum(parts.length, (i) => parts[i]!.count * parts[i]!.law.supremum));
  if (epsilon >= greatest) return infiniteMass(parts);
  const target: Target = { kind: "epsilon", epsilon };
  const read = readDelta(composeLosses(parts, target, "upper", accuracy), epsilon, "upper");
  if (read > NEXT_TO_ONE) return 1;
  // A loss beyond epsilon has a probability, be it below all numbers.
  return Math.max(Math.min(claimedDelta(read), totalVariation(parts)), Number.MIN_VALUE);
}

/** The larger of both directions; a coarse upper bound may already show which one that is. */
function worse(
  groups: readonly EventGroup[],
  cost: (parts: readonly Part[], accuracy?: number) => number,
): number {
  let worst = 0;
  for (const direction of directionsOf(groups)) {
    const parts = partsOf(groups, direction);
    if (worst > 0 && cost(parts, COARSE) <= worst) continue;
    worst = Math.max(worst, cost(parts));
  }
  return worst;
}

/** Whether the group's law is known under zero-out, and asked for under replace. */
function isRemoved({ event }: EventGroup): boolean {
  return event.kind === "wishart" && event.adjacency === "replace";
}

/** The laws of zero-out, for every group that has no other. */
function asZeroOut(groups: readonly EventGroup[]): EventGroup[] {
  return groups.map((group) =>
    isRemoved(group) ? { ...group, event: { ...group.event, adjacency: "zero-out" } } : group,
  );
}

/** Both ways from one neighbour under replace to the other; none where the laws need no such way. */
function twoSteps(groups: readonly EventGroup[]): TwoSteps[] {
  const removed = groups.filter(isRemoved);
  if (removed.length === 0) return [];
  const way = (from: Direction, to: Direction): TwoSteps => ({
    first: partsOf(asZeroOut(groups), from),
    second: partsOf(asZeroOut(removed), to),
  });
  return [
    way("with-against-without", "without-against-with"),
    way("without-against-with", "with-against-without"),
  ];
}

function sumOfPure(groups: readonly EventGroup[]): number {
  const pure = groups.map(({ event }) => pureEpsilonOf(event) ?? Infinity);
  return roundUp(sum(groups.length, (i) => groups[i]!.count * pure[i]!));
}

function boundedEpsilon(groups: readonly EventGroup[], delta: number, bound: Bound): number {
  const merged = mergeGroups(groups, bound);
  if (merged.length === 0) return 0;
  const basic = merged.every(({ event }) => pureEpsilonOf(event) !== undefined)
    ? sumOfPure(merged)
    : Infinity;
  if (delta === 0) return basic;
  const ways = twoSteps(merged);
  if (ways.length > 0 && bound === "upper") return twoStepEpsilon(ways, delta);
  const cost = (parts: readonly Part[], accuracy?: number) =>
    epsilonIn(parts, delta, bound, bound === "upper" ? accuracy : ACCURACY);
  // A column that becomes zero is replaced too: what that costs at least, replace does.
  return Math.min(worse(asZeroOut(merged), cost), basic);
}

/**
 * Of allocations with the drawn rounds revealed, which is less where delta is so small that what their grids do not hold is not
 * small beside it.
 */
function revealed(
  groups: readonly EventGroup[],
  cost: (groups: readonly EventGroup[]) => number,
): number {
  return groups.some(({ event }) => event.kind === "random-allocation")
    ? cost(groups.map(allocationRevealed))
    : Infinity;
}

function upperEpsilon(groups: readonly EventGroup[], delta: number): number {
  const cost = (known: readonly EventGroup[]) => boundedEpsilon(known, delta, "upper");
  const own = claimedEpsilon(cost(groups));
  return delta > RESOLVED && own < Infinity ? own : Math.min(own, revealed(groups, cost));
}

function upperDelta(groups: readonly EventGroup[], epsilon: number): number {
  const cost = (known: readonly EventGroup[]) => deltaOfAll(known, epsilon);
  const own = claimedDelta(cost(groups));
  return own > RESOLVED ? own : Math.min(own, revealed(groups, cost));
}

function deltaOfAll(groups: readonly EventGroup[], epsilon: number): number {
  const merged = mergeGroups(groups, "upper");
  if (merged.length === 0) return 0;
  if (sumOfPure(merged) <= epsilon) return 0;
  const ways = twoSteps(merged);
  if (ways.length > 0) return twoStepDelta(ways, epsilon);
  return worse(merged, (parts, accuracy) => deltaIn(parts, epsilon, accuracy));
}

/** A certified bracket of the true epsilon: lower <= eps <= upper. */
export function pldEpsilonBounds(
  groups: readonly EventGroup[],
  delta: number,
): { lower: number; upper: number } {
  const upper = claimedEpsilon(upperEpsilon(groups, delta));
  const summed = groups.some(({ event }) => event.kind === "random-allocation")
    ? [groups, groups.map(allocationSummed)]
    : [groups];
  const lower = summed.reduce((most, known) => {
    const bound = boundedEpsilon(known, delta, "lower");
    return bound > most ? bound : most;
  }, 0);
  return { lower: Math.min(upper, lower), upper };
}

/** Privacy loss distributions. */
export const pldAccountant = defineAccountant({
  name: "pld",
  refusal(groups) {
    const other = asZeroOut(groups).find(
      ({ event }) => event.kind !== "random-allocation" && !lossLaw(event, "with-against-without"),
    );
    return other && `no dominating pair is known for a ${other.event.kind} event`;
  },
  epsilon: /* @__PURE__ */ remembered(upperEpsilon),
  delta: /* @__PURE__ */ remembered(upperDelta),
});
