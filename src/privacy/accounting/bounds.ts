/**
 * How far a numerical figure can be from the truth.
 * @module
 */
import { array, object } from "../../core/checks.js";
import { groupEvents } from "./groups.js";
import { checkDelta } from "../delta.js";
import { pldAccountant, pldEpsilonBounds } from "./accountants/pld-accountant.js";
import type { PrivacyEvent } from "../events/event-kinds.js";

/**
 * A certified bracket of the true epsilon of a list of events at a delta: the PLD accountant's upper
 * bound and its optimistic counterpart's lower bound, in which single losses beyond 680 count for nothing.
 *
 * @param events        all of one adjacency.
 * @param options.delta 0 <= delta < 1.
 * @throws RangeError if an event has no known dominating pair.
 */
export function epsilonBounds(
  events: readonly PrivacyEvent[],
  options: { delta: number },
): { lower: number; upper: number } {
  array("events", events);
  const delta = checkDelta(object("options", options).delta);
  const groups = groupEvents(events);
  const refusal = pldAccountant.refusal(groups);
  if (refusal !== undefined) throw new RangeError(`events: expected dominating pairs; ${refusal}`);
  return pldEpsilonBounds(groups, delta);
}
