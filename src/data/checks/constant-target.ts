/**
 * A target of which rows within a task say nothing.
 * @module
 */
import type { TaskSet } from "../tasks/task-set.js";

/** Whether the target is the same in all rows of every task, though some task has several. */
export function constantWithinTasks({ y, offsets, m, size }: TaskSet): boolean {
  if (size === m) return false;
  for (let i = 0; i < m; i++) {
    for (let row = offsets[i]! + 1; row < offsets[i + 1]!; row++) {
      if (y[row] !== y[row - 1]) return false;
    }
  }
  return true;
}
