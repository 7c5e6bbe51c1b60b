/**
 * Tasks with dense rows, for methods that need them so.
 * @module
 */
import { denseRows } from "../sparse/sparse-rows.js";
import type { TaskSet } from "./task-set.js";

/** The same tasks with dense rows, N d numbers; the set itself where its rows are dense. */
export function denseTasks(tasks: TaskSet): TaskSet {
  const { sparse, size, d, featureNames, encoding } = tasks;
  return sparse ? tasks.withFeatures(denseRows(sparse, 0, size, d), featureNames, encoding) : tasks;
}
