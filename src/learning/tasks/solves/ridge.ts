/**
 * Every task's ridge model with a given weight.
 * @module
 */
import { byCompactTasks } from "../compact-task.js";
import { scaledIdentity, solveEach, solveTasks } from "./local-solves.js";
import type { ResidentTasks } from "../resident-tasks.js";
import type { LocalModels, PlacedModels } from "../local-models.js";

/** argmin L_i(w, b) + (penalty/2) ||w||^2 for every task. @throws UnsolvedTask naming one whose system is singular. */
export function ridgeModels(tasks: ResidentTasks, penalty: number): LocalModels {
  if (!tasks.isDense) {
    return byCompactTasks(tasks, (task) => ridgeModels(task, penalty));
  }
  return solved(tasks, (models) => {
    const precision = scaledIdentity(tasks.core.arena, tasks.d, penalty);
    solveTasks(tasks, { precision, center: 0 }, models);
  });
}

/**
 * argmin L_i(w, b) + (penalties[i]/2) ||w||^2 for every task, by Newton's method: for choices among models, which are made after
 * releases, so that a task whose system is singular ends nothing; it has the model to which the method came.
 * @param start where Newton's method starts; zeros by default.
 */
export function ridgeWith(
  tasks: ResidentTasks,
  penalties: Float64Array,
  start?: LocalModels,
): LocalModels {
  if (!tasks.isDense) {
    return byCompactTasks(tasks, (task, i) => ridgeWith(task, penalties.subarray(i, i + 1)));
  }
  return solved(tasks, (models) => solveEach(tasks, penalties, models, undefined, "keep"), start);
}

/** Runs a solve on models in the core and copies them out. @param start default zeros. */
function solved(
  tasks: ResidentTasks,
  solve: (models: PlacedModels) => void,
  start?: LocalModels,
): LocalModels {
  const { m, d, core } = tasks;
  const { arena } = core;
  const mark = arena.mark();
  const weights = start ? arena.copyOf(start.weights) : arena.zeros(m * d);
  const intercepts = start ? arena.copyOf(start.intercepts) : arena.zeros(m);
  solve({ weights, intercepts: tasks.intercept ? intercepts : 0 });
  const result = {
    weights: arena.view(weights, m * d).slice(),
    intercepts: arena.view(intercepts, m).slice(),
  };
  arena.release(mark);
  return result;
}
