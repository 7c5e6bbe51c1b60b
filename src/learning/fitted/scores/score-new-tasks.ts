/**
 * How good a model's predictions are for tasks that it was not fitted on.
 * @module
 */
import { requireTaskSet } from "../../../data/checks/require-task-set.js";
import { requireModel } from "../require-model.js";
import { denseTasks, type TaskSet } from "../../../data/index.js";
import type { FittedModel } from "../fitted-model.js";
import { scoreOutputs } from "./score-outputs.js";
import type { Scores } from "./scores.js";

/**
 * Scores of `predictNew` on whole tasks; undefined for models without it.
 * @throws DataError if a label is not one of the model's classes.
 */
export function scoreNewTasks(model: FittedModel, tasks: TaskSet): Scores | undefined {
  requireModel(model);
  requireTaskSet("tasks", tasks);
  const { outputsNew } = model;
  return outputsNew && scoreOutputs(model, outputsNew(denseTasks(tasks).x), tasks);
}
