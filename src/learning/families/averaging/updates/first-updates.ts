/**
 * What tasks that average would upload first, which they vote on where the bound on it is learned.
 * @module
 */
import type { PublicSizes } from "../../../round/halves.js";
import { expectedParticipants } from "../../../round/participation.js";
import { noiseScaleAt, type ReleasePlan } from "../../../round/release-plan.js";
import { rowNorms } from "../../../votes/clip-votes.js";
import type { ClipFacts } from "../../../votes/learning-clip.js";
import type { AveragingTasks } from "./averaging-tasks.js";
import type { FederatedOptions } from "../options.js";

/** Where most models are to stay inside a ball: its radius over a norm that one in six is beyond. */
const BALL = { above: 1 / 6, factor: 1.5 } as const;

/** Fewest and most tasks whose updates are cut, as a part of all; and how much noise counts beside what is cut, by errors on tables. */
const CUT = { least: 0.1, most: 0.5, noise: 2 } as const;

/** What both sides know of a run. */
interface Run {
  readonly sizes: PublicSizes;
  readonly releases: Pick<ReleasePlan, "main">;
}

/** How the bound is learned. */
export const clipFacts = (
  options: Pick<FederatedOptions, "loss" | "sampling">,
  run: Run,
  projected = false,
): ClipFacts => ({
  sizes: run.sizes,
  loss: options.loss,
  ...(projected ? BALL : { above: cutPart(options, run), factor: 1 }),
});

/**
 * The part of updates that are to be cut. Of the mean update noise takes K s / m in all, where its norm is s at K = 1, and the cut what is
 * above K of every update, in whose sum a larger K changes as much as there are updates that are cut: where these are s, both together
 * are least. But noise is in what tasks step from as well.
 * @see Amin, Kulesza, Munoz and Vassilvitskii (2019), "Bounding user contributions", for sums of numbers.
 */
function cutPart(
  { sampling }: Pick<FederatedOptions, "sampling">,
  { sizes: { m }, releases: { main } }: Run,
): number {
  const { d, rounds, mechanism } = main;
  const entries = mechanism.budgetKind === "mu" ? d : d * (d + 1);
  const noise = noiseScaleAt(main, 1) * Math.sqrt(entries);
  const part = (CUT.noise * noise) / expectedParticipants(sampling, m, rounds);
  return Math.min(Math.max(part, CUT.least), CUT.most);
}

/** Norms of the tasks' first updates, [m]: their local work is done for these alone, and models are as before. */
export function firstUpdates(tasks: AveragingTasks): Float64Array {
  const { arena } = tasks.core;
  const start = tasks.checkpoint();
  const uploads = arena.view(tasks.upload(1), tasks.m * tasks.uploadLength).slice();
  tasks.restore(start);
  return rowNorms(uploads, tasks.m);
}
