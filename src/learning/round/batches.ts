/**
 * What there is to know of a method's tasks to spread them over threads, whether or not anything is released of them.
 * @module
 */
import type { Halves, ParticipantContext, ParticipantHalf } from "./halves.js";
import type { ReleasePlan } from "./release-plan.js";

/** What a batch of tasks is made from, wherever it lies. */
export type BatchContext = Omit<ParticipantContext, "releases">;

/** Makes batches of one configured method. */
export interface Batches extends Pick<Halves, "work" | "bytes" | "requireAll"> {
  /** @throws DataError if the batch's own data does not suit the method. */
  place(context: BatchContext): ParticipantHalf;
}

/**
 * Those of a method whose tasks answer releases.
 * @param planOf what it releases, which is the same for every batch.
 */
export function batchesOf(halves: Halves, planOf: (context: BatchContext) => ReleasePlan): Batches {
  return {
    ...halves,
    place: (context) => halves.participants({ ...context, releases: planOf(context) }),
  };
}
