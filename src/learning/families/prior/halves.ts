/**
 * What the methods whose broadcast is a prior run on either side, and what they release.
 * @module
 */
import type { Halves } from "../../round/halves.js";
import { priorCurator, priorReleases } from "./curator.js";
import { roundsOf, type PriorMethod } from "./method.js";
import type { PriorMethodOptions } from "./options.js";
import { priorParticipants } from "./participants.js";

/** The halves of such a method. */
export function priorHalves(definition: PriorMethod, options: PriorMethodOptions): Halves {
  return {
    participants: (context) => priorParticipants(definition, options, context),
    releases: (context) => priorReleases(definition, options, context),
    curator: (context) => priorCurator(definition, options, context),
    work: ({ sizes }) => {
      const { m, d, rows } = sizes;
      // In every round a spectrum of every task.
      return 3 * roundsOf(definition, options, sizes) * d * d * (rows + m * d);
    },
  };
}
