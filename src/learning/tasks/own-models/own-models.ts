/**
 * Every task's own model: what it has without the others, and what every method falls back on.
 * @module
 */
import type { FoldEntries } from "../fold-entries.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { logisticModels } from "./logistic.js";
import { foldRidge, ownRidge, type Unsolved } from "./own-ridge.js";
import { sparseLogisticModels } from "./sparse/sparse-logistic.js";
import { sparseSquaredModels } from "./sparse/sparse-squared.js";
import { copyModels, placeModels, type LocalModels, type PlacedModels } from "../local-models.js";

/**
 * Bayesian ridge or logistic regression under a weakly informative public prior, its penalty averaged over by each
 * task's own evidence. A row of weight s has noise of variance 1 / s times the others'. Task i's model depends on its own rows and on declared ranges only.
 * @param unsolved "zeros" after releases, when an error about one task's rows must reach nobody else.
 */
export function ownModels(tasks: ResidentTasks, unsolved: Unsolved = "refuse"): LocalModels {
  if (tasks.loss !== "squared") {
    return tasks.isDense ? logisticModels(tasks, unsolved) : sparseLogisticModels(tasks, unsolved);
  }
  return tasks.isDense
    ? ownRidge(tasks, undefined, unsolved)
    : sparseSquaredModels(tasks, unsolved);
}

/**
 * The same of tasks without folds of their rows, a model for every entry: for choices among models, which are made after releases, and
 * some in single precision. Where numbers are too large to be squared it is zeros.
 * @param place puts the rows that are left into the core, where they are not read in their places.
 */
export function placeModelsWithoutFolds(
  tasks: ResidentTasks,
  entries: FoldEntries,
  place: () => ResidentTasks,
): PlacedModels {
  const inPlace = tasks.loss === "squared" && tasks.isDense && tasks.weights === 0;
  return inPlace
    ? foldRidge(tasks, entries, "zeros")
    : placeModels(tasks.core.arena, ownModels(place(), "zeros"), tasks.intercept);
}

/** Copies of the same. */
export function ownModelsWithoutFolds(
  tasks: ResidentTasks,
  entries: FoldEntries,
  place: () => ResidentTasks,
): LocalModels {
  const { arena } = tasks.core;
  const mark = arena.mark();
  const placed = placeModelsWithoutFolds(tasks, entries, place);
  const models = copyModels(arena, placed, entries.owners.length, tasks.d);
  arena.release(mark);
  return models;
}
