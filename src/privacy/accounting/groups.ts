/**
 * Equal events counted together, and the two summaries most accountants need.
 * @module
 */
import { checkedEvent } from "../events/checked-event.js";
import { eventKey } from "../events/parse-event.js";
import { quotient, quotientAbove, rootOfSquares } from "./rounding.js";
import type { Adjacency, PrivacyEvent } from "../events/event-kinds.js";

/** `count` rounds of one event. */
export interface EventGroup {
  readonly event: PrivacyEvent;
  readonly count: number;
}

interface Group {
  event: PrivacyEvent;
  count: number;
}

/**
 * Groups equal events, in order of first appearance.
 *
 * @throws TypeError or RangeError naming what is wrong with an event, or if they mix neighbouring relations: their sum would be
 *   neither's.
 */
export function groupEvents(events: readonly PrivacyEvent[]): EventGroup[] {
  const byReference = new Map<PrivacyEvent, number>();
  for (const event of events) byReference.set(event, (byReference.get(event) ?? 0) + 1);
  const groups: Group[] = [];
  // A text of all fields is slow to make, so only events of the same noise get one.
  const byNoise = new Map<number, { first: Group; byKey?: Map<string, Group> }>();
  let adjacency: Adjacency | undefined;
  for (const [given, count] of byReference) {
    const event = checkedEvent(given);
    const noise = noiseOf(event);
    const group = { event, count };
    const alike = byNoise.get(noise);
    if (alike) {
      const { first } = alike;
      const byKey = (alike.byKey ??= new Map([[eventKey(first.event), first]]));
      const key = eventKey(event);
      const known = byKey.get(key);
      if (known) known.count += count;
      else {
        byKey.set(key, group);
        groups.push(group);
      }
    } else {
      byNoise.set(noise, { first: group });
      groups.push(group);
    }
    adjacency ??= event.adjacency;
    if (event.adjacency !== adjacency) {
      throw new RangeError(
        `events: expected one adjacency, got "${adjacency}" and "${event.adjacency}"; a guarantee ` +
          "is for one neighbouring relation",
      );
    }
  }
  return groups;
}

/** A number that is equal for equal events. */
function noiseOf(event: PrivacyEvent): number {
  if ("sigma" in event) return event.sigma;
  if ("scale" in event) return event.scale;
  return "epsilon" in event ? event.epsilon : 0;
}

/** eps of a pure-DP event, not below it; undefined where only (eps, delta) is true. */
export function pureEpsilonOf(event: PrivacyEvent): number | undefined {
  switch (event.kind) {
    case "pure":
      return event.epsilon;
    case "two-sided-wishart":
      // A half of the smallest number is none.
      return quotient(quotientAbove(event.sensitivity, event.scale), 2);
    case "laplace":
    case "spherical-laplace":
      return quotientAbove(event.sensitivity, event.scale);
    default:
      return undefined;
  }
}

/** mu of an event that is exactly a Gaussian shift; undefined otherwise. */
export function gaussianMuOf(event: PrivacyEvent): number | undefined {
  return event.kind === "gaussian" ? quotient(event.sensitivity, event.sigma) : undefined;
}

/** mu of Gaussian events together: the root of their summed squares, rounded up. */
export function composedMu(groups: readonly EventGroup[]): number {
  return rootOfSquares(groups.map(({ event, count }) => ({ x: gaussianMuOf(event)!, count })));
}

/** A one-sided Wishart event as a pure event of the eps that the papers claim for it. */
export function nominalEvent(event: PrivacyEvent): PrivacyEvent {
  if (event.kind !== "wishart") return event;
  const { nominal: epsilon = wishartLoss(event), adjacency } = event;
  return { kind: "pure", epsilon, adjacency };
}

/** K^2 / (2 v): the loss of d + 1 degrees of freedom where both worlds are possible, and the newest text's eps. */
export const wishartLoss = (of: { clip: number; scale: number }) => wishartRatio(of) / 2;

/** K^2 / v, also where the square is below all numbers. */
export function wishartRatio({ clip, scale }: { clip: number; scale: number }): number {
  const square = clip ** 2;
  return square > 1e-290 ? square / scale : (clip / scale) * clip;
}
