/**
 * One task's model, cut out of the model of all tasks.
 * @module
 */
import { outputsOf } from "../../tasks/losses.js";
import { limitsOf, limitsOfTask } from "../feature-limits.js";
import type { FittedModelState } from "../model-state.js";
import { mixtureOf } from "../posterior/posterior-mixture.js";
import { promisesOf } from "./promises.js";
import { TaskModel } from "./task-model.js";
import type { TaskModelState } from "./task-model-state.js";
import { unseenTaskOf } from "../unseen/unseen-task.js";

/** What every task's model has of all tasks'. */
type Common = "method" | "loss" | "classes" | "featureNames" | "architecture" | "targetScale";

function withCommon(
  { method, loss, classes, featureNames, architecture = null, preprocessing }: FittedModelState,
  { posterior, limits, ...own }: Omit<TaskModelState, Common>,
) {
  return new TaskModel({
    method,
    loss,
    classes,
    featureNames,
    architecture,
    targetScale: preprocessing?.targetScale ?? null,
    // Most models have neither, and then do not show them.
    ...(posterior && { posterior }),
    ...(limits && { limits }),
    ...own,
  });
}

/** The model of task i: nothing pooled. */
export function modelOfTask(model: FittedModelState, i: number): TaskModel {
  const { taskNames, weights, intercepts, loss, classes, components = {} } = model;
  const parameters = weights.length / taskNames.length;
  const outputs = outputsOf(loss, classes);
  return withCommon(model, {
    task: taskNames[i]!,
    weights: weights.slice(i * parameters, (i + 1) * parameters),
    intercepts: intercepts?.slice(i * outputs, (i + 1) * outputs) ?? null,
    posterior: mixtureOf(components, i),
    limits: limitsOfTask(components, i),
    ...promisesOf(model, i),
  });
}

/** What tasks have in common as a model, for tasks never seen; of models that know it (`knowsUnseenTasks`). */
export function modelOfUnseenTask(model: FittedModelState): TaskModel {
  const { loss, classes, components = {}, guarantee, recordGuarantee = null } = model;
  return withCommon(model, {
    task: "",
    ...unseenTaskOf({ loss, classes, components }),
    limits: limitsOf(components),
    guarantee,
    recordGuarantee,
  });
}
