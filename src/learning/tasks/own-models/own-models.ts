/**
 * Every task's own model: what it has without the others, and what every method falls back on.
 * @module
 */
import type { FoldEntries } from "../fold-entries.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { logisticModels } from "./logistic.js";
import { foldRidge, ownRidge } from "./own-ridge.js";
import { sparseLogisticModels } from "./sparse-logistic.js";
import { sparseSquaredModels } from "./sparse-squared.js";
import type { LocalModels } from "../local-models.js";

/**
 * Bayesian ridge or logistic regression under a weakly informative public prior, its penalty averaged over by each
 * task's own evidence. A row of weight s has noise of variance 1 / s times the others'. Task i's model depends on its own rows and on declared ranges only.
 */
export function ownModels(tasks: ResidentTasks): LocalModels {
  if (tasks.loss !== "squared") {
    return tasks.isDense ? logisticModels(tasks) : sparseLogisticModels(tasks);
  }
  return tasks.isDense ? ownRidge(tasks) : sparseSquaredModels(tasks);
}

/**
 * The same of tasks without folds of their rows, a model for every entry: for choices among models, since some are in single precision.
 * @param place puts the rows that are left into the core, where they are not read in their places.
 */
export function ownModelsWithoutFolds(
  tasks: ResidentTasks,
  entries: FoldEntries,
  place: () => ResidentTasks,
): LocalModels {
  const inPlace = tasks.loss === "squared" && tasks.isDense && tasks.weights === 0;
  return inPlace ? foldRidge(tasks, entries) : ownModels(place());
}
