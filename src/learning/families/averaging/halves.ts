/**
 * What PMTL, private FedAvg and private FedProx run on either side, and what they release.
 * @module
 */
import type { Halves, PlanContext } from "../../round/halves.js";
import { averagingCurator, averagingReleases } from "./curator.js";
import type { AveragingMethod } from "./local-training.js";
import { settled, type FederatedOptions } from "./options.js";
import { selectionPlan } from "./selection.js";
import { averagingParticipants } from "./participants.js";

/** The halves of such a method. */
export function averagingHalves(definition: AveragingMethod, given: FederatedOptions): Halves {
  const options = settled(given);
  return {
    participants: (context) => averagingParticipants(definition, options, context),
    releases: (context) => averagingReleases(definition, options, context),
    curator: (context) => averagingCurator(definition, options, context),
    work: (context) => trainingWork(definition, options, context),
  };
}

/** Steps that a solve counts for. */
const SOLVE = 30;

/** Local steps in every round, again on folds where tasks select. */
function trainingWork(
  definition: AveragingMethod,
  options: FederatedOptions,
  { sizes, outputs }: PlanContext,
): number {
  const { rounds, localSteps, model, hiddenUnits, loss } = options;
  const { fallback } = selectionPlan(definition, options);
  const passes = rounds * (fallback || options.choice !== "last" ? 6 : 1);
  const perRow = sizes.d * (model === "linear" ? outputs : 3 * hiddenUnits);
  const steps = localSteps === "solve" ? SOLVE : localSteps;
  return passes * steps * sizes.rows * perRow * (loss === "squared" ? 1 : 3);
}
