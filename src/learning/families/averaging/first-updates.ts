/**
 * What tasks that average would upload first, which they vote on where the bound on it is learned.
 * @module
 */
import type { PublicSizes } from "../../round/halves.js";
import { rowNorms } from "../../votes/clip-votes.js";
import type { ClipFacts } from "../../votes/learning-clip.js";
import type { AveragingTasks } from "./averaging-tasks.js";
import type { FederatedOptions } from "./options.js";

/** The bound over a typical first update; most models are to stay inside a ball. */
const FACTORS = { update: 1, ball: 1.5 } as const;

/** How the bound is learned. */
export const clipFacts = (
  { loss }: Pick<FederatedOptions, "loss">,
  sizes: PublicSizes,
  projected = false,
): ClipFacts => ({ sizes, loss, factor: projected ? FACTORS.ball : FACTORS.update });

/** Norms of the tasks' first updates, [m]: their local work is done for these alone, and models are as before. */
export function firstUpdates(tasks: AveragingTasks): Float64Array {
  const { arena } = tasks.core;
  const start = tasks.checkpoint();
  const uploads = arena.view(tasks.upload(1), tasks.m * tasks.uploadLength).slice();
  tasks.restore(start);
  return rowNorms(uploads, tasks.m);
}
