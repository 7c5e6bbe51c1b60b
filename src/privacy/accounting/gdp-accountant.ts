/**
 * Exact accounting of Gaussian events: their squared mu add up.
 * @module
 */
import type { Accountant } from "./accountant.js";
import { gaussianDelta, gaussianEpsilon } from "./gdp.js";
import { gaussianMuOf, type EventGroup } from "./groups.js";
import { roundUp, sum } from "./rounding.js";

/** sqrt of the summed squares, rounded up. */
function composedMu(groups: readonly EventGroup[]): number {
  return roundUp(
    Math.sqrt(sum(groups.length, (i) => groups[i]!.count * gaussianMuOf(groups[i]!.event)! ** 2)),
  );
}

/** Gaussian DP. */
export const gdpAccountant: Accountant = {
  name: "gdp",
  refusal(groups) {
    const other = groups.find(({ event }) => gaussianMuOf(event) === undefined);
    return other && `a ${other.event.kind} event is not a Gaussian shift`;
  },
  epsilon: (groups, delta) => gaussianEpsilon(composedMu(groups), delta),
  delta: (groups, epsilon) => gaussianDelta(epsilon, composedMu(groups)),
};
