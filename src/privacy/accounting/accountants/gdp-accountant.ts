/**
 * Exact accounting of Gaussian events: their squared mu add up.
 * @module
 */
import { defineAccountant } from "./accountant.js";
import { gaussianDelta, gaussianEpsilon } from "../gdp.js";
import { composedMu, gaussianMuOf } from "../groups.js";

/** Gaussian DP. */
export const gdpAccountant = defineAccountant({
  name: "gdp",
  refusal(groups) {
    const other = groups.find(({ event }) => gaussianMuOf(event) === undefined);
    return other && `a ${other.event.kind} event is not a Gaussian shift`;
  },
  epsilon(groups, delta) {
    const mu = composedMu(groups);
    return mu < Infinity ? gaussianEpsilon(mu, delta) : Infinity;
  },
  delta(groups, epsilon) {
    const mu = composedMu(groups);
    return mu < Infinity ? gaussianDelta(epsilon, mu) : 1;
  },
});
