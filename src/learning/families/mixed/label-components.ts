/**
 * What a mixed model of labels says of tasks in general, as named arrays.
 * @module
 */
import { triangle } from "../../../linalg/packed-symmetric.js";
import type { Component } from "../../fitted/model-state.js";
import type { MixedMixtures } from "./exchange.js";

/** The model of a task that was never seen, a mixture of K normals. */
export function unseenComponents(
  { weights, means, covariances }: MixedMixtures,
  axis: readonly number[],
  d: number,
): Record<"newTaskWeights" | "newTaskMeans" | "newTaskCovariances", Component> {
  const shape = [...axis, weights.length / axis.reduce((all, size) => all * size, 1)];
  return {
    newTaskWeights: { shape, data: weights },
    newTaskMeans: { shape: [...shape, d], data: means },
    newTaskCovariances: { shape: [...shape, triangle(d)], data: covariances },
  };
}
