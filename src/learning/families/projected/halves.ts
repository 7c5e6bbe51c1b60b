/**
 * What Algorithms 2, 3 and 4 run on either side, and what they release.
 * @module
 */
import type { Halves } from "../../round/halves.js";
import { projectedCurator, projectedReleases } from "./curator.js";
import type { ProjectedMethod } from "./projected-tasks.js";
import type { GradientMethodOptions } from "./options.js";
import { projectedParticipants } from "./participants.js";

/** The halves of such a method. */
export function projectedHalves(
  definition: ProjectedMethod,
  options: GradientMethodOptions,
): Halves {
  return {
    participants: (context) => projectedParticipants(definition, options, context),
    releases: (context) => projectedReleases(definition, options, context),
    curator: (context) => projectedCurator(definition, options, context),
  };
}
