/**
 * What every task has without the others, on all of its rows and without each fold of them: its own models, the
 * side that the fallback compares the shared models with.
 * @module
 */
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { ownModels } from "../tasks/own-models/own-models.js";
import { ridgeModels, ridgeWith, type LocalModels } from "../tasks/ridge.js";
import { ridgePath } from "../tasks/ridge-path.js";
import { modelsOfOwners, type FoldBatch } from "./folds.js";
import { FOLDS } from "./thresholds.js";

/** Single-task models. */
export interface SingleTaskModels extends LocalModels {
  /** The models of a batch's entries. */
  withoutFolds(batch: FoldBatch, place: () => ResidentTasks): LocalModels;
}

/**
 * Ridge models of weight `penalty`, or the tasks' own models (`tasks/own-models`), whose penalties follow from each
 * task's rows: without a fold, from the rows that are left, so that no row has a say in what predicts it.
 */
export function singleTaskModels(tasks: ResidentTasks, penalty: number | "auto"): SingleTaskModels {
  if (penalty === "auto") {
    return { ...ownModels(tasks), withoutFolds: (_batch, place) => ownModels(place()) };
  }
  const { d, loss } = tasks;
  const models = ridgeModels(tasks, penalty);
  if (loss !== "squared") {
    const withoutFolds: SingleTaskModels["withoutFolds"] = ({ owners }, place) => {
      const own = new Float64Array(owners.length).fill(penalty);
      return ridgeWith(place(), own, modelsOfOwners(models, owners));
    };
    return { ...models, withoutFolds };
  }
  const { folds } = ridgePath(tasks, Float64Array.of(penalty), FOLDS);
  return {
    ...models,
    withoutFolds: ({ first, owners }) => {
      const last = first + owners.length;
      return {
        weights: folds.weights.subarray(first * d, last * d),
        intercepts: folds.intercepts.subarray(first, last),
      };
    },
  };
}
