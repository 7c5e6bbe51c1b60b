/**
 * What Algorithms 2, 3 and 4 run on either side, and what they release.
 * @module
 */
import type { Halves, PublicSizes } from "../../round/halves.js";
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
    work: ({ sizes }) => stepsWork(options, sizes),
  };
}

/** Gradients of all rows in every round, again on folds where tasks select; and every task's own model first. */
function stepsWork(options: GradientMethodOptions, { m, d, rows }: PublicSizes): number {
  const selects = options.safeguard || options.choice !== "last";
  const passes = options.rounds * (selects ? 6 : 1) * (options.loss === "squared" ? 1 : 3);
  return passes * rows * d + 2 * m * d * d * d;
}
