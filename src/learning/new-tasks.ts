/**
 * Models of tasks that come after a private fit: from their own rows and what the fit released.
 * @module
 */
import { denseTasks, type TaskSet } from "../data/index.js";
import { requireSquarableRows } from "../data/checks/squarable-rows.js";
import { requireTaskSet } from "../data/checks/require-task-set.js";
import { fitNewMixedTask, sharedMixedPrior } from "./families/mixed/fit-new-task.js";
import {
  fitNewSubspaceTask,
  isSubspacePrior,
  sharedSubspacePrior,
} from "./families/subspace/fit-new-task.js";
import type { FittedModel } from "./fitted/fitted-model.js";
import { receivedPrior } from "./fitted/unseen/received-prior.js";
import type { SharedPrior } from "./fitted/unseen/shared-prior.js";

/**
 * The part of a model that an owner who comes later needs, and may have: nothing of any task that was fitted.
 * @throws TypeError for what is no model; DataError if the model is not of `MpMixed` or `MpSubspace`, or was saved by a version that kept nothing for later tasks.
 */
export function sharedPrior(model: SharedPrior): SharedPrior {
  const given = receivedPrior(model);
  return isSubspacePrior(given) ? sharedSubspacePrior(given) : sharedMixedPrior(given);
}

/**
 * Models of tasks that were not in the fit, by their own rows: the same solve that every task of the fit did for
 * itself. Nothing is released and nothing spent; the guarantee stays that of the fit, and its `later` says that the new tasks were
 * not in it.
 *
 * @param prior a fitted `MpMixed` (of numbers or labels) or `MpSubspace`, or its {@link sharedPrior}, also where that went through
 *   JSON or a structured clone.
 * @param given tasks, prepared like the training rows: the same features in the same order and, where ranges of features or
 *   target were declared, scaled by them. Labels are those of the fit, by name; not all of them need occur.
 * @returns a model of these tasks: predictions, components, of a mixed model intervals.
 * @throws TypeError for what is no prior or no task set; DataError if the prior is of another method, features or target do not fit, a label is none of the fit's classes, or a number is larger than 1e60.
 * @example const model = fitNewTask(fitted, TaskSet.from([{ name: "a later school", x, y }]));
 */
export function fitNewTask(prior: SharedPrior, given: TaskSet): FittedModel {
  const own = receivedPrior(prior);
  requireTaskSet("tasks", given);
  requireSquarableRows(given);
  // Who has such a prior worked with dense rows.
  const tasks = denseTasks(given);
  return isSubspacePrior(own) ? fitNewSubspaceTask(own, tasks) : fitNewMixedTask(own, tasks);
}
