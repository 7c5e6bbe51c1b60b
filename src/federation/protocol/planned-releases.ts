/**
 * What a federated plan releases: computed by curator and participants alike, each for itself.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { PublicSizes } from "../../learning/round/halves.js";
import type { ReleasePlan } from "../../learning/round/release-plan.js";
import { shareMechanisms } from "../secure-aggregation/mechanism.js";
import { shareOptionsOf } from "../secure-aggregation/planned.js";
import { outputsOf, planEstimator, type Plan } from "./plan.js";

/**
 * The releases of a run of these sizes.
 * @throws RangeError if the plan's budget allows no noise; OptionError for a method that cannot run on
 *   secure sums where the plan asks for them.
 */
export function plannedReleases(plan: Plan, sizes: PublicSizes): ReleasePlan {
  const { aggregation } = plan;
  const releases = planEstimator(plan).halves.releases({
    sizes,
    outputs: outputsOf(plan),
    noiseShares: aggregation ? shareMechanisms(shareOptionsOf(aggregation)) : undefined,
  });
  if (releases.own) {
    throw new OptionError(
      "ownModel: a participant that returns would draw its own release's noise again, and the difference of two shows its rows; " +
        'expected "exact" in a federated run',
    );
  }
  return releases;
}
