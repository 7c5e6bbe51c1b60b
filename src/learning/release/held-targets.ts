/**
 * Targets as a private fit works with them: those whose squares sums cannot hold would leave their task without a model after all had
 * paid, and the file of all models unwritten, which everybody would notice.
 * @module
 */
import { TaskSet } from "../../data/index.js";

/** The square of its square is a number, and so is a sum of many. */
const LARGEST = 1e60;

/** The tasks, no target larger; the same set where none is. */
export function heldTargets(data: TaskSet): TaskSet {
  if (data.targetLevels || data.y.every((value) => Math.abs(value) <= LARGEST)) return data;
  const y = data.y.map((value) => Math.max(-LARGEST, Math.min(value, LARGEST)));
  return TaskSet.adopt({ ...data.arrays(), y });
}
