/**
 * Room for the vectors of one task with sparse rows after the other: an array for each would cost as much as the products.
 * @module
 */
import type { SparseTask } from "./sparse-task.js";

/** As much as the largest task of a batch needs, of its rows and of the columns that it uses. */
export interface TaskRoom {
  readonly rows: Float64Array;
  readonly weighted: Float64Array;
  readonly gathered: Float64Array;
  readonly columns: Float64Array;
}

export function taskRoom(tasks: readonly SparseTask[]): TaskRoom {
  const most = (sizeOf: (task: SparseTask) => number) =>
    tasks.reduce((all, task) => Math.max(all, sizeOf(task)), 0);
  const n = most(({ rows }) => rows.n);
  const k = most(({ rows }) => rows.k);
  return {
    rows: new Float64Array(n),
    weighted: new Float64Array(n),
    gathered: new Float64Array(k),
    columns: new Float64Array(k),
  };
}
