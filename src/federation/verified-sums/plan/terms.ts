/**
 * What participants and both aggregators of a run compute from the plan alone, each for itself: grid, noise
 * and norm bound of every round.
 * @module
 */
import { array, callable, object, positive } from "../../../core/checks.js";
import type { ReleasePlan } from "../../../learning/round/release-plan.js";
import type { ShareMechanism } from "../../secure-aggregation/plan/mechanism.js";
import { eventSteps } from "../../secure-aggregation/integers/noise.js";
import { modulusBits } from "../../secure-aggregation/integers/numbers.js";
import { aggregationTerms, type RoundTerms } from "../../secure-aggregation/plan/terms.js";
import { federatedPine } from "../proof/instance.js";
import { AGGREGATORS } from "./mechanism.js";
import { checkGrid, normBound } from "./norm-bound.js";
import { checkPine, type Pine } from "../proof/pine.js";
import type { AggregationGrid } from "../../secure-aggregation/integers/aggregation-grid.js";

/** One round's numbers; `steps` is s of each aggregator's noise. */
export interface VerifiedTerms extends RoundTerms {
  /** The proof of the norm, and its parameters. */
  readonly pine: Pine;
}

/** Terms that are handed over. @throws TypeError for what is none. */
export function checkTerms(terms: VerifiedTerms): VerifiedTerms {
  checkGrid("terms.grid", object("terms", terms).grid);
  checkPine("terms.pine", terms.pine);
  return terms;
}

/**
 * The terms of all rounds.
 *
 * @param releases made with `verifiedMechanisms`.
 * @returns for round t, entry t - 1.
 * @throws OptionError for a method that samples tasks.
 */
export function verifiedTerms(releases: ReleasePlan): VerifiedTerms[] {
  array("releases.stages", object("releases", releases).stages);
  const made = new Map<AggregationGrid, Pine>();
  // Sums and noise fit: they stay below 2^62, and the modulus is above 2^63.
  return aggregationTerms(releases, { parties: AGGREGATORS }).map((terms) => {
    const { grid } = terms;
    const pine = made.get(grid) ?? federatedPine(grid.entries, normBound(grid));
    made.set(grid, pine);
    return { ...terms, pine };
  });
}

/**
 * The terms of one sum, outside a method's plan.
 *
 * @param mechanism of `verifiedMechanism`.
 * @param budget    mu of its Gaussian mechanism; `event` is what it costs.
 */
export function termsOfSum(mechanism: ShareMechanism, budget: number): VerifiedTerms {
  const { grid } = object("mechanism", mechanism);
  checkGrid("mechanism.grid", grid);
  callable("mechanism.event", mechanism.event);
  positive("budget", budget);
  const event = mechanism.event(budget);
  if (event.kind !== "discrete-gaussian") throw new TypeError(`unexpected ${event.kind}`);
  const steps = eventSteps(grid, event);
  const bits = modulusBits(grid, AGGREGATORS.participants, steps);
  return { grid, event, steps, bits, pine: federatedPine(grid.entries, normBound(grid)) };
}
