/**
 * What PMTL, private FedAvg and private FedProx run on either side, and what they release.
 * @module
 */
import type { Halves } from "../../round/halves.js";
import { averagingCurator, averagingReleases } from "./curator.js";
import type { AveragingMethod } from "./local-training.js";
import { settled, type FederatedOptions } from "./options.js";
import { averagingParticipants } from "./participants.js";

/** The halves of such a method. */
export function averagingHalves(definition: AveragingMethod, given: FederatedOptions): Halves {
  const options = settled(given);
  return {
    participants: (context) => averagingParticipants(definition, options, context),
    releases: (context) => averagingReleases(definition, options, context),
    curator: (context) => averagingCurator(definition, options, context),
  };
}
