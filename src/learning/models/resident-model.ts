/**
 * A model trained where the data lies: value and gradient of one task at a time, in the kernels'
 * memory.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";

/** Rows of a mini-batch: `count` u32 row numbers of the task set at `at`, all of one task. */
export interface Batch {
  readonly at: Pointer;
  readonly count: number;
}

/** L_i of every task as a function of `parameters` float64s. */
export interface ResidentModel {
  readonly tasks: ResidentTasks;
  /** Float64s per task. */
  readonly parameters: number;
  /** Numbers predicted per row. */
  readonly outputs: number;
  /** Whether every L_i is convex in the parameters. */
  readonly convex: boolean;
  /**
   * L_i and, at `gradient`, its gradient; on a batch, the unbiased estimate of both,
   * c_i n_i times the batch's mean.
   */
  valueAndGradient(task: number, parameters: Pointer, gradient: Pointer, batch?: Batch): number;
  /** out[n_i, outputs] of the task's rows. */
  predict(task: number, parameters: Pointer, out: Pointer): void;
  /**
   * gradient <- that of sum_jk slopes[j,k] outputs[j,k] over the task's rows.
   * @throws TypeError if the model cannot.
   */
  pullback(task: number, parameters: Pointer, slopes: Pointer, gradient: Pointer): void;
}

/** First row of task i, and its number of rows. */
export function rowsOf(tasks: ResidentTasks, task: number): { from: number; n: number } {
  const [from, to] = tasks.core.arena.words(tasks.offsets + 4 * task, 2);
  return { from: from!, n: to! - from! };
}

/** c_i of L_i = c_i sum_j loss. */
export function scaleOf(tasks: ResidentTasks, task: number): number {
  return tasks.core.arena.view(tasks.scales + 8 * task, 1)[0]!;
}
