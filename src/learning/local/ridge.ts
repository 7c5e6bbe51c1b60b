/**
 * Every task's own ridge model, with a given weight or one it chooses on its own data.
 * @module
 */
import * as math from "../../core/elementary.js";
import { scaledIdentity, type ResidentTasks } from "../resident-tasks.js";

/** Models copied out of the core: W[m, d] and b[m] (zeros without intercepts). */
export interface LocalModels {
  readonly weights: Float64Array;
  readonly intercepts: Float64Array;
}

/** argmin L_i(w, b) + (penalty/2) ||w||^2 for every task. */
export function ridgeModels(tasks: ResidentTasks, penalty: number): LocalModels {
  const { m, d, core } = tasks;
  const { arena } = core;
  const mark = arena.mark();
  const weights = arena.zeros(m * d);
  const intercepts = arena.zeros(m);
  tasks.solve(scaledIdentity(arena, d, penalty), 0, weights, tasks.intercept ? intercepts : 0);
  const result = {
    weights: arena.view(weights, m * d).slice(),
    intercepts: arena.view(intercepts, m).slice(),
  };
  arena.release(mark);
  return result;
}

/** Candidate weights of the local choice, for a loss divided by n_i: 1e-4 to 10. */
const CANDIDATES = Array.from({ length: 11 }, (_, k) => math.pow(10, k / 2 - 4));

/**
 * Every task picks the ridge weight with the smallest leave-one-out error on its own rows, so
 * only its own model depends on the choice: no release, no charge. For the logistic loss, where
 * leaving one out has no closed form, the weight is chosen for the squared loss of the labels.
 *
 * @see Golub, Heath, Wahba (1979), for the closed form.
 */
export function ridgeByLeaveOneOut(tasks: ResidentTasks): LocalModels {
  const { m, d, loss } = tasks;
  const penalties = Float64Array.from(CANDIDATES, (candidate) => candidate * tasks.unit);
  const path = tasks.ridgePath(penalties);
  if (loss === "squared") return path;
  const weights = new Float64Array(m * d);
  const intercepts = new Float64Array(m);
  penalties.forEach((penalty, k) => {
    if (!path.chosen.includes(k)) return;
    const models = ridgeModels(tasks, penalty);
    for (let i = 0; i < m; i++) {
      if (path.chosen[i] !== k) continue;
      weights.set(models.weights.subarray(i * d, (i + 1) * d), i * d);
      intercepts[i] = models.intercepts[i]!;
    }
  });
  return { weights, intercepts };
}
