/**
 * Products of one task's sparse rows with the parameters of a linear model, for what is not in the rounds.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import { sparseRows } from "../tasks/compact-task.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { rowsOf } from "./resident-model.js";

/** Calls `visit` with row within the task, column and value of every entry of its rows. */
function forEachEntry(
  tasks: ResidentTasks,
  task: number,
  visit: (row: number, column: number, value: number) => void,
): void {
  const { starts, columns, values } = sparseRows(tasks);
  const { from, n } = rowsOf(tasks, task);
  for (let row = 0; row < n; row++) {
    const end = starts[from + row + 1]!;
    for (let k = starts[from + row]!; k < end; k++) visit(row, columns[k]!, values[k]!);
  }
}

/** out[n, k] <- X W of the task's rows, W[d, k]. */
export function timesSparse(
  tasks: ResidentTasks,
  task: number,
  parameters: Pointer,
  out: Pointer,
  k: number,
): void {
  const { arena } = tasks.core;
  const w = arena.view(parameters, tasks.d * k);
  const products = arena.view(out, rowsOf(tasks, task).n * k).fill(0);
  forEachEntry(tasks, task, (row, column, value) => {
    for (let c = 0; c < k; c++) products[row * k + c]! += value * w[column * k + c]!;
  });
}

/** out[d, k] <- X^T Q of the task's rows, Q[n, k]. */
export function ofSparse(
  tasks: ResidentTasks,
  task: number,
  slopes: Pointer,
  out: Pointer,
  k: number,
): void {
  const { arena } = tasks.core;
  const q = arena.view(slopes, rowsOf(tasks, task).n * k);
  const sums = arena.view(out, tasks.d * k).fill(0);
  forEachEntry(tasks, task, (row, column, value) => {
    for (let c = 0; c < k; c++) sums[column * k + c]! += value * q[row * k + c]!;
  });
}
