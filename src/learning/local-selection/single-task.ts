/**
 * What every task has without the others, on all of its rows and without each fold of them: its own models, the
 * side that the fallback compares the shared models with.
 * @module
 */
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { ownModels, placeModelsWithoutFolds } from "../tasks/own-models/own-models.js";
import { ridgeModels, ridgeWith } from "../tasks/solves/ridge.js";
import { ridgePath } from "../tasks/solves/ridge-path.js";
import { rowsLeft } from "../tasks/fold-entries.js";
import { modelsOfOwners, type FoldBatch } from "./folds.js";
import { FOLDS } from "./thresholds.js";
import { placeModels, type LocalModels, type PlacedModels } from "../tasks/local-models.js";
import type { Unsolved } from "../tasks/own-models/own-ridge.js";

/** Single-task models. */
export interface SingleTaskModels extends LocalModels {
  /** The models of a batch's entries, in the tasks' core. */
  withoutFolds(batch: FoldBatch, place: () => ResidentTasks): PlacedModels;
}

/**
 * Ridge models of weight `penalty`, or the tasks' own models (`tasks/own-models`), whose penalties follow from each
 * task's rows: without a fold, from the rows that are left, so that no row has a say in what predicts it.
 * @param unsolved of own models: "zeros" after releases.
 */
export function singleTaskModels(
  tasks: ResidentTasks,
  penalty: number | "auto",
  unsolved?: Unsolved,
): SingleTaskModels {
  if (penalty === "auto") {
    return {
      ...ownModels(tasks, unsolved),
      withoutFolds: (batch, place) => placeModelsWithoutFolds(tasks, batch, place),
    };
  }
  const { d, loss, lossScale, intercept, core } = tasks;
  const models = ridgeModels(tasks, penalty);
  // The path over folds is for dense rows without weights.
  if (loss !== "squared" || tasks.weights !== 0 || !tasks.isDense) {
    const withoutFolds: SingleTaskModels["withoutFolds"] = (batch, place) => {
      const { owners } = batch;
      const own = new Float64Array(owners.length).fill(penalty);
      // As the path has it, the weight of a row left is that of one of all rows.
      if (loss === "squared" && lossScale === "mean") {
        const ends = core.arena.words(tasks.offsets, tasks.m + 1);
        rowsLeft(ends, batch).forEach((left, k) => {
          own[k]! *= (ends[owners[k]! + 1]! - ends[owners[k]!]!) / left;
        });
      }
      const found = ridgeWith(place(), own, modelsOfOwners(models, owners));
      return placeModels(core.arena, found, intercept);
    };
    return { ...models, withoutFolds };
  }
  const { folds } = ridgePath(tasks, Float64Array.of(penalty), FOLDS);
  return {
    ...models,
    withoutFolds: ({ first, owners }) => {
      const last = first + owners.length;
      const own = {
        weights: folds.weights.subarray(first * d, last * d),
        intercepts: folds.intercepts.subarray(first, last),
      };
      return placeModels(core.arena, own, intercept);
    },
  };
}
