/**
 * How good a model's predictions are for tasks that it was not fitted on.
 * @module
 */
import * as math from "../../core/elementary.js";
import { binaryLabels, fromUnit, relativeWeights, type TaskSet } from "../../data/index.js";
import type { FittedModel } from "./fitted-model.js";
import { scoreBinary, scoreRegression, type Scores } from "./scores.js";

/**
 * Scores of `predictNew` on whole tasks; undefined for models without it.
 * @throws DataError if a label is not one of the model's classes.
 */
export function scoreNewTasks(model: FittedModel, tasks: TaskSet): Scores | undefined {
  const { predictNew, classes } = model;
  if (!predictNew) return undefined;
  const predictions = predictNew(tasks.x);
  const weights = relativeWeights(tasks);
  if (classes) {
    const margins = predictions.map((p) => math.log(p / (1 - p)));
    return scoreBinary(margins, binaryLabels(tasks, classes).y, tasks.offsets, weights);
  }
  const { scale } = tasks.encoding.target;
  const y = scale ? tasks.y.map((z) => fromUnit(scale, z)) : tasks.y;
  return scoreRegression(predictions, y, tasks.offsets, weights);
}
