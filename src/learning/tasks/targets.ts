/**
 * The targets of tasks as a loss wants them: numbers, two labels, or several.
 * @module
 */
import {
  binaryLabels,
  classLabels,
  refuseLabels,
  type Label,
  type TaskSet,
} from "../../data/index.js";
import type { LossName } from "./losses.js";

/** Targets, and what they stand for. */
export interface Targets {
  /** Float64Array, shape [N]. */
  readonly y: Float64Array;
  /** The labels; null for numbers. */
  readonly classes: readonly Label[] | null;
}

/**
 * @param classes the labels, where they are public; default those declared, or that occur.
 * @throws DataError if the loss is squared and the targets are labels, it is logistic and they do not have two values, or
 *   softmax and they have one.
 */
export function targetsOf(
  tasks: TaskSet,
  loss: LossName,
  classes?: readonly Label[] | null,
): Targets {
  if (loss === "logistic") return binaryLabels(tasks, classes ?? undefined);
  if (loss === "softmax") return classLabels(tasks, classes ?? undefined);
  refuseLabels(tasks);
  return { y: tasks.y, classes: null };
}
