/**
 * Every task's own model: what it has without the others, and what every method falls back on.
 * @module
 */
import type { ResidentTasks } from "../resident-tasks.js";
import { logisticModels } from "./logistic.js";
import { sparseLogisticModels } from "./sparse-logistic.js";
import { sparseSquaredModels } from "./sparse-squared.js";
import { squaredModel } from "./squared.js";
import type { LocalModels } from "../local-models.js";

/**
 * Bayesian ridge or logistic regression under a weakly informative public prior, its penalty averaged over by each
 * task's own evidence. A row of weight s has noise of variance 1 / s times the others'. Task i's model depends on its own rows and on declared ranges only.
 */
export function ownModels(tasks: ResidentTasks): LocalModels {
  if (tasks.loss !== "squared") {
    return tasks.isDense ? logisticModels(tasks) : sparseLogisticModels(tasks);
  }
  return tasks.isDense ? squaredModels(tasks) : sparseSquaredModels(tasks);
}

function squaredModels(tasks: ResidentTasks): LocalModels {
  const { core, m, d, rows, intercept, known } = tasks;
  const { arena } = core;
  const offsets = arena.words(tasks.offsets, m + 1).slice();
  const x = arena.view(tasks.x, rows * d).slice();
  const y = arena.view(tasks.y, rows).slice();
  const s = tasks.sampleWeights();
  const result = { weights: new Float64Array(m * d), intercepts: new Float64Array(m) };
  for (let i = 0; i < m; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const own = {
      ...{ x: x.subarray(from * d, to * d), y: y.subarray(from, to), n: to - from, d },
      s: s?.subarray(from, to),
    };
    const model = squaredModel(own, { intercept, known });
    result.weights.set(model.weights, i * d);
    if (intercept) result.intercepts[i] = model.intercept;
  }
  return result;
}
