/**
 * The models of a batch of linear tasks, out of the core, and what they lose on their rows.
 * @module
 */
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import type { LocalModels, PlacedModels } from "../tasks/local-models.js";

/** Copies. */
export function linearModels(
  { m, d, core }: ResidentTasks,
  { weights, intercepts }: PlacedModels,
): Pick<LocalModels, "weights"> & { intercepts: Float64Array | null } {
  return {
    weights: core.arena.view(weights, m * d).slice(),
    intercepts: intercepts === 0 ? null : core.arena.view(intercepts, m).slice(),
  };
}

/** L_i of every task, [m]. */
export function taskLosses(
  tasks: ResidentTasks,
  { weights, intercepts }: PlacedModels,
): Float64Array<ArrayBuffer> {
  const { arena } = tasks.core;
  const mark = arena.mark();
  const at = arena.f64(tasks.m);
  tasks.losses(weights, intercepts, at);
  const losses = arena.view(at, tasks.m).slice();
  arena.release(mark);
  return losses;
}

/** Their sum, a pooled figure, in the order of tasks: however they were computed, it has the same bits. */
export function sumOfLosses(losses: Float64Array): number {
  return losses.reduce((total, loss) => total + loss, 0);
}
