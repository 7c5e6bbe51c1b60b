/**
 * The papers' composition bound as an accountant of pure-DP events.
 * @module
 */
import { defineAccountant } from "./accountant.js";
import { smallest } from "../bisect.js";
import { pureEpsilonOf, type EventGroup } from "../groups.js";
import { compositionBoundOfRuns, type PureRun } from "../kov.js";

/** The groups as runs of pure rounds. */
export function pureRuns(groups: readonly EventGroup[]): PureRun[] {
  return groups.map(({ event, count }) => ({ epsilon: pureEpsilonOf(event)!, count }));
}

/** Why a pure-DP accountant refuses these events, if it does. */
export function notPure(groups: readonly EventGroup[]): string | undefined {
  const other = groups.find(({ event }) => pureEpsilonOf(event) === undefined);
  return other && `a ${other.event.kind} event is not pure eps-DP`;
}

/** Kairouz, Oh, Viswanath's three-way minimum. */
export const kovAccountant = defineAccountant({
  name: "kov",
  refusal: notPure,
  epsilon: (groups, delta) => compositionBoundOfRuns(pureRuns(groups), delta),
  delta(groups, epsilon) {
    const runs = pureRuns(groups);
    if (compositionBoundOfRuns(runs, 0) <= epsilon) return 0;
    return Math.min(
      1,
      smallest((delta) => delta >= 1 || compositionBoundOfRuns(runs, delta) <= epsilon, 1e-6),
    );
  },
});
