/**
 * The models of a batch of linear tasks, out of the core, and what they lose on their rows.
 * @module
 */
import type { ModelsAt } from "../tasks/local-solves.js";
import type { LocalModels } from "../tasks/ridge.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";

/** Copies. */
export function linearModels(
  { m, d, core }: ResidentTasks,
  { weights, intercepts }: ModelsAt,
): Pick<LocalModels, "weights"> & { intercepts: Float64Array | null } {
  return {
    weights: core.arena.view(weights, m * d).slice(),
    intercepts: intercepts === 0 ? null : core.arena.view(intercepts, m).slice(),
  };
}

/** sum_i L_i, a pooled figure. */
export function sumOfLosses(tasks: ResidentTasks, { weights, intercepts }: ModelsAt): number {
  const { arena } = tasks.core;
  const mark = arena.mark();
  const losses = arena.f64(tasks.m);
  tasks.losses(weights, intercepts, losses);
  const sum = arena.view(losses, tasks.m).reduce((total, loss) => total + loss, 0);
  arena.release(mark);
  return sum;
}
