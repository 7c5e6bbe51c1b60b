/**
 * What every task has without the others, on all of its rows and without each fold of them: ridge models, the
 * side that the fallback compares the shared models with.
 * @module
 */
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { ridgeByLeaveOneOut, ridgeModels, ridgeWith, type LocalModels } from "../tasks/ridge.js";
import { ridgePath } from "../tasks/ridge-path.js";
import { modelsOfOwners, type FoldBatch } from "./folds.js";
import { FOLDS } from "./thresholds.js";

/** Single-task ridge models. */
export interface SingleTaskModels extends LocalModels {
  /** The models of a batch's entries, each with the weight its task has on all of its rows. */
  withoutFolds(batch: FoldBatch, place: () => ResidentTasks): LocalModels;
}

/**
 * Ridge models of weight `penalty`, or one that each task chooses by leave-one-out on its own rows.
 * The choice, one of eleven, is made once, on the held-out rows too, which leans towards the fallback.
 * Chosen anew without each fold, at five times the work, it was no better on three draws of three sets.
 */
export function singleTaskModels(tasks: ResidentTasks, penalty: number | "auto"): SingleTaskModels {
  const { m, d, loss } = tasks;
  const models =
    penalty === "auto"
      ? ridgeByLeaveOneOut(tasks, FOLDS)
      : { ...ridgeModels(tasks, penalty), penalties: new Float64Array(m).fill(penalty) };
  const { weights, intercepts, penalties } = models;
  if (loss !== "squared") {
    const withoutFolds: SingleTaskModels["withoutFolds"] = ({ owners }, place) => {
      const own = Float64Array.from(owners, (task) => penalties[task]!);
      return ridgeWith(place(), own, modelsOfOwners(models, owners));
    };
    return { weights, intercepts, withoutFolds };
  }
  const folds =
    "folds" in models
      ? models.folds!
      : ridgePath(tasks, Float64Array.of(penalty as number), FOLDS).folds;
  return {
    weights,
    intercepts,
    withoutFolds: ({ first, owners }) => {
      const last = first + owners.length;
      return {
        weights: folds.weights.subarray(first * d, last * d),
        intercepts: folds.intercepts.subarray(first, last),
      };
    },
  };
}
