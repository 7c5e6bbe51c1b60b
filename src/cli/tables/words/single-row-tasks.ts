/**
 * A word on tasks of one row each: often the column named as the task numbers the rows, and then the guarantee is of a row, not of an owner.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";

/** The question, or nothing; nothing of a single task, which may come later to a model with the one row it has. */
export function singleRowTasks({ m, size }: TaskSet, task: unknown): string[] {
  if (m < 2 || m !== size) return [];
  const column = typeof task === "string" ? ` ${JSON.stringify(task)}` : "";
  return [
    `every task has one row: is${column} the column that says whose a row is (--task), or does it number the rows? A guarantee is of each task ` +
      "by itself, and an owner of several rows under several names is protected less than it says.",
  ];
}
