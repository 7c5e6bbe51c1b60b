/**
 * W(0): where the rounds start. Each task's own model, so it costs no privacy.
 * @module
 */
import { finiteArray } from "../../core/index.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { ownModels } from "../tasks/own-models/own-models.js";
import { ridgeModels } from "../tasks/solves/ridge.js";

/** Where to start. */
export interface InitialOptions {
  readonly initial: "single-task" | "zeros" | Float64Array;
  readonly initialPenalty: number | "auto";
}

/** Which tasks of a run a batch has. */
interface Batch {
  readonly sizes: { readonly m: number };
  readonly positions: readonly number[];
}

/**
 * @param batch where the tasks are a part of those that starting models were given for.
 * @returns W(0), [m, d], and b(0), [m].
 */
export function initialModels(
  tasks: ResidentTasks,
  { initial, initialPenalty }: InitialOptions,
  batch?: Batch,
): { weights: Float64Array; intercepts: Float64Array } {
  const { m, d } = tasks;
  if (initial === "single-task") {
    return initialPenalty === "auto" ? ownModels(tasks) : ridgeModels(tasks, initialPenalty);
  }
  const weights = new Float64Array(m * d);
  if (initial !== "zeros") {
    const all = finiteArray("initial", initial, (batch?.sizes.m ?? m) * d);
    for (let i = 0; i < m; i++) {
      const at = d * (batch?.positions[i] ?? i);
      weights.set(all.subarray(at, at + d), i * d);
    }
  }
  return { weights, intercepts: new Float64Array(m) };
}

/**
 * By whose norms tasks vote on K: the models that they start from, or, of tasks that start at zero, their own.
 * @returns [m, d].
 */
export function modelsVotedOn(
  tasks: ResidentTasks,
  options: InitialOptions,
  start: Float64Array,
): Float64Array {
  if (options.initial !== "zeros") return start;
  return initialModels(tasks, { ...options, initial: "single-task" }).weights;
}
