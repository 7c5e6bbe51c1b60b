/**
 * Every task's own ridge model, with a given weight or one it chooses on its own data.
 * @module
 */
import * as math from "../../core/elementary.js";
import { scaledIdentity, solveEach, solveTasks, type ModelsAt } from "./local-solves.js";
import type { ResidentTasks } from "./resident-tasks.js";
import { ridgePath } from "./ridge-path.js";

/** Models copied out of the core: W[m, d] and b[m] (zeros without intercepts). */
export interface LocalModels {
  readonly weights: Float64Array;
  readonly intercepts: Float64Array;
}

/** argmin L_i(w, b) + (penalty/2) ||w||^2 for every task. */
export function ridgeModels(tasks: ResidentTasks, penalty: number): LocalModels {
  return solved(tasks, (models) => {
    const precision = scaledIdentity(tasks.core.arena, tasks.d, penalty);
    solveTasks(tasks, { precision, center: 0 }, models);
  });
}

/** Candidate weights of the local choice, for a loss divided by n_i: 1e-4 to 10. */
const CANDIDATES = Array.from({ length: 11 }, (_, k) => math.pow(10, k / 2 - 4));

/** A weight lambda_i of (lambda_i/2) ||w||^2 for every task, and the models it gives. */
export interface ChosenRidge extends LocalModels {
  readonly penalties: Float64Array;
  /** The models with those weights and without a fold: see `RidgePath`. Squared loss only. */
  readonly folds: LocalModels | undefined;
}

/**
 * Every task picks the ridge weight with the smallest leave-one-out error on its own rows, so
 * only its own model depends on the choice: no release, no charge. For the logistic loss, where
 * leaving one out has no closed form, the weight is chosen for the squared loss of the labels.
 *
 * @param parts folds of its rows that every task's model is also wanted without.
 * @see Golub, Heath, Wahba (1979), for the closed form.
 */
export function ridgeByLeaveOneOut(tasks: ResidentTasks, parts = 0): ChosenRidge {
  const candidates = Float64Array.from(CANDIDATES, (candidate) => candidate * tasks.unit);
  if (tasks.loss === "squared") {
    const path = ridgePath(tasks, candidates, parts);
    return { ...path, penalties: path.chosen.map((k) => candidates[k]!) };
  }
  const penalties = ridgePath(tasks, candidates).chosen.map((k) => candidates[k]!);
  return { ...ridgeWith(tasks, penalties), penalties, folds: undefined };
}

/**
 * argmin L_i(w, b) + (penalties[i]/2) ||w||^2 for every task, for losses other than the squared.
 * @param start where Newton's method starts; zeros by default.
 */
export function ridgeWith(
  tasks: ResidentTasks,
  penalties: Float64Array,
  start?: LocalModels,
): LocalModels {
  return solved(tasks, (models) => solveEach(tasks, penalties, models), start);
}

/** Runs a solve on models in the core and copies them out. @param start default zeros. */
function solved(
  tasks: ResidentTasks,
  solve: (models: ModelsAt) => void,
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
