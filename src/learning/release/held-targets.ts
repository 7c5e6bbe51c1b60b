/**
 * Targets as a private fit works with them: those whose squares sums cannot hold would leave their task without a model after all had
 * paid, and the file of all models unwritten, which everybody would notice.
 * @module
 */
import { areSquarable, squarable } from "../../core/squarable.js";
import { TaskSet } from "../../data/index.js";

/** The tasks, no target larger; the same set where none is. */
export function heldTargets(data: TaskSet): TaskSet {
  if (data.targetLevels || areSquarable(data.y)) return data;
  return TaskSet.adopt({ ...data.arrays(), y: data.y.map(squarable) });
}
