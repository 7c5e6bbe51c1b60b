/**
 * Numerical accounting by privacy loss distributions: any mix of events, close to exact, on the safe
 * side, with an optimistic twin that shows how close.
 *
 * Dominating pairs compose (Zhu, Dong, Wang 2022, Theorem 10): events are replaced by their pairs'
 * loss laws, in both directions where those differ, and composed on a grid. A pure event enters as
 * randomized response. One-sided Wishart rounds, whose law is known under zero-out, take two steps under
 * replace (pld/two-steps.ts).
 * @module
 */
import * as math from "../../core/elementary.js";
import type { PrivacyEvent } from "../events.js";
import type { Accountant } from "./accountant.js";
import { gaussianMuOf, pureEpsilonOf, type EventGroup } from "./groups.js";
import { composeLosses } from "./pld/compose.js";
import { isSymmetric, lossLaw, type Direction } from "./pld/laws.js";
import type { Part, Target } from "./pld/outline.js";
import { infiniteMass, totalVariation } from "./pld/parts.js";
import { readDelta, readEpsilon } from "./pld/read.js";
import { twoStepDelta, twoStepEpsilon, type TwoSteps } from "./pld/two-steps.js";
import { roundUp, sum } from "./rounding.js";

/** Relative error of epsilon aimed at. */
const ACCURACY = 2e-7;
/** Enough to see that one direction is the lesser. */
const COARSE = 1e-3;
/** More kinds of one family than `most` are rounded up to `fewer`; pure ones are cheap. */
const KINDS = { pure: { most: 4000, fewer: 2000 }, other: { most: 100, fewer: 48 } };

/** The strength of an event within its family (larger is less private), and its replacement. */
function familyOf(
  event: PrivacyEvent,
): { key: string; strength: number; at(strength: number): PrivacyEvent } | undefined {
  const { adjacency } = event;
  const pure = pureEpsilonOf(event);
  if (event.kind === "laplace") {
    return {
      key: "laplace",
      strength: pure!,
      at: (eps) => ({ kind: "laplace", scale: 1, sensitivity: eps, adjacency }),
    };
  }
  if (pure !== undefined) {
    return { key: "pure", strength: pure, at: (epsilon) => ({ kind: "pure", epsilon, adjacency }) };
  }
  if (event.kind === "subsampled-gaussian") {
    const { sampling } = event;
    return {
      key: `sampled ${sampling.rate}`,
      strength: event.sensitivity / event.sigma,
      at: (mu) => ({ ...event, sigma: 1, sensitivity: mu }),
    };
  }
  return undefined;
}

/** One Gaussian for all Gaussians, and few enough kinds of the rest, each rounded up. */
function mergeGroups(groups: readonly EventGroup[]): EventGroup[] {
  const gaussian = groups.filter(({ event }) => gaussianMuOf(event) !== undefined);
  const merged = new Map<string, EventGroup[]>();
  const result: EventGroup[] = [];
  const squares = sum(
    gaussian.length,
    (i) => gaussian[i]!.count * gaussianMuOf(gaussian[i]!.event)! ** 2,
  );
  if (squares > 0) {
    const { adjacency } = gaussian[0]!.event;
    const sensitivity = roundUp(Math.sqrt(squares));
    result.push({ event: { kind: "gaussian", sigma: 1, sensitivity, adjacency }, count: 1 });
  }
  for (const group of groups) {
    if (gaussianMuOf(group.event) !== undefined) continue;
    const family = familyOf(group.event);
    if (!family) result.push(group);
    else if (family.strength > 0) {
      merged.set(family.key, [...(merged.get(family.key) ?? []), group]);
    }
  }
  for (const [key, members] of merged) {
    result.push(...coalesce(members, key === "pure" ? KINDS.pure : KINDS.other));
  }
  return result;
}

/** Rounds strengths up to a geometric grid when there are very many. */
function coalesce(members: EventGroup[], { most, fewer }: typeof KINDS.pure): EventGroup[] {
  if (members.length <= most) return members;
  const strengths = members.map(({ event }) => familyOf(event)!.strength);
  const high = Math.max(...strengths);
  // What is a millionth of the strongest is rounded up to that: little against the rest.
  const low = Math.max(Math.min(...strengths), high * 1e-6);
  const ratio = math.pow(high / low, 1 / fewer) || 1;
  const counts = new Map<number, number>();
  members.forEach(({ count }, i) => {
    const level = Math.max(
      0,
      ratio > 1 ? Math.floor(math.log(high / strengths[i]!) / math.log(ratio)) : 0,
    );
    const bounded = Math.min(level, fewer);
    counts.set(bounded, (counts.get(bounded) ?? 0) + count);
  });
  const { at } = familyOf(members[0]!.event)!;
  return [...counts].map(([level, count]) => ({
    event: at(high * math.pow(ratio, -level)),
    count,
  }));
}

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
  mode: "upper" | "lower",
  accuracy = ACCURACY,
): number {
  const infinite = infiniteMass(parts);
  if (infinite >= delta) return Infinity;
  if (totalVariation(parts) <= delta) return 0;
  const target: Target = { kind: "delta", logDelta: math.log(delta - infinite) };
  return readEpsilon(composeLosses(parts, target, mode, accuracy), delta, mode === "upper");
}

function deltaIn(parts: readonly Part[], epsilon: number, accuracy = ACCURACY): number {
  const greatest = sum(parts.length, (i) => parts[i]!.count * parts[i]!.law.supremum);
  if (epsilon >= greatest) return infiniteMass(parts);
  const target: Target = { kind: "epsilon", epsilon };
  return readDelta(composeLosses(parts, target, "upper", accuracy), epsilon, true);
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

function epsilonOfMode(
  groups: readonly EventGroup[],
  delta: number,
  mode: "upper" | "lower",
): number {
  const merged = mergeGroups(groups);
  if (merged.length === 0) return 0;
  const basic = merged.every(({ event }) => pureEpsilonOf(event) !== undefined)
    ? sumOfPure(merged)
    : Infinity;
  if (delta === 0) return basic;
  const ways = twoSteps(merged);
  if (ways.length > 0 && mode === "upper") return twoStepEpsilon(ways, delta);
  const cost = (parts: readonly Part[], accuracy?: number) =>
    epsilonIn(parts, delta, mode, mode === "upper" ? accuracy : ACCURACY);
  // A column that becomes zero is replaced too: what that costs at least, replace does.
  return Math.min(worse(asZeroOut(merged), cost), basic);
}

/** A certified bracket of the true epsilon: lower <= eps <= upper. */
export function pldEpsilonBounds(
  groups: readonly EventGroup[],
  delta: number,
): { lower: number; upper: number } {
  const upper = epsilonOfMode(groups, delta, "upper");
  return { lower: Math.min(upper, epsilonOfMode(groups, delta, "lower")), upper };
}

/** Privacy loss distributions. */
export const pldAccountant: Accountant = {
  name: "pld",
  refusal(groups) {
    const other = asZeroOut(groups).find(({ event }) => !lossLaw(event, "with-against-without"));
    return other && `no dominating pair is known for a ${other.event.kind} event`;
  },
  epsilon: (groups, delta) => epsilonOfMode(groups, delta, "upper"),
  delta(groups, epsilon) {
    const merged = mergeGroups(groups);
    if (merged.length === 0) return 0;
    if (sumOfPure(merged) <= epsilon) return 0;
    const ways = twoSteps(merged);
    if (ways.length > 0) return twoStepDelta(ways, epsilon);
    return worse(merged, (parts, accuracy) => deltaIn(parts, epsilon, accuracy));
  },
};
