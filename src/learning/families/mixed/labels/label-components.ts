/**
 * What a mixed model of labels says of tasks in general, as named arrays, and the way back.
 * @module
 */
import { triangle } from "../../../../linalg/packed-symmetric.js";
import type { Component } from "../../../fitted/model-state.js";
import type { MixedPrior } from "../exchange.js";

/** What a task's own model is made of with its rows: from releases and public sizes alone. */
export const TASK_PRIORS = [
  "taskPriorLogWeights",
  "taskPriorMeans",
  "taskPriorRoots",
  "taskPriorKinds",
  "taskPriorOwnParts",
] as const;

/** The same, and of a task never seen. */
export const LABEL_COMPONENTS = [
  "newTaskWeights",
  "newTaskMeans",
  "newTaskCovariances",
  ...TASK_PRIORS,
] as const;

type Components = Readonly<Record<string, Component>>;
type LabelPrior = Pick<MixedPrior, "unseen" | "ofTasks">;

/** @param axis [C] of several classes, else []; where nothing is known of tasks never seen there is nothing of them. */
export function labelComponents(
  { unseen, ofTasks }: LabelPrior,
  axis: readonly number[],
  d: number,
): Components {
  const models = axis.reduce((all, size) => all * size, 1);
  const component = (data: Float64Array, ...shape: number[]): Component => ({
    shape: [...axis, data.length / shape.reduce((all, size) => all * size, models), ...shape],
    data,
  });
  return {
    ...(unseen && {
      newTaskWeights: component(unseen.weights),
      newTaskMeans: component(unseen.means, d),
      newTaskCovariances: component(unseen.covariances, triangle(d)),
    }),
    taskPriorLogWeights: component(ofTasks!.logWeights),
    taskPriorMeans: component(ofTasks!.means, d),
    taskPriorRoots: component(ofTasks!.roots, triangle(d)),
    taskPriorKinds: { shape: [ofTasks!.kinds.length], data: ofTasks!.kinds },
    taskPriorOwnParts: { shape: [models], data: ofTasks!.ownParts },
  };
}

/** What those components were made of. */
export function labelPriorOf(components: Components): LabelPrior {
  const data = (name: (typeof LABEL_COMPONENTS)[number]) => components[name]!.data;
  return {
    unseen: components["newTaskWeights"] && {
      weights: data("newTaskWeights"),
      means: data("newTaskMeans"),
      covariances: data("newTaskCovariances"),
    },
    ofTasks: {
      logWeights: data("taskPriorLogWeights"),
      means: data("taskPriorMeans"),
      roots: data("taskPriorRoots"),
      kinds: data("taskPriorKinds"),
      ownParts: data("taskPriorOwnParts"),
    },
  };
}
