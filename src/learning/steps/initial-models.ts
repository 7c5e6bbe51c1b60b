/**
 * W(0): where the rounds start. Each task's own model, so it costs no privacy.
 * @module
 */
import { finiteArray } from "../../core/index.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { ownModels } from "../tasks/own-models/own-models.js";
import { ridgeModels } from "../tasks/ridge.js";

/** Where to start. */
export interface InitialOptions {
  readonly initial: "single-task" | "zeros" | Float64Array;
  readonly initialPenalty: number | "auto";
}

/** @returns W(0), [m, d], and b(0), [m]. */
export function initialModels(
  tasks: ResidentTasks,
  { initial, initialPenalty }: InitialOptions,
): { weights: Float64Array; intercepts: Float64Array } {
  const { m, d } = tasks;
  if (initial === "single-task") {
    return initialPenalty === "auto" ? ownModels(tasks) : ridgeModels(tasks, initialPenalty);
  }
  const weights =
    initial === "zeros" ? new Float64Array(m * d) : finiteArray("initial", initial, m * d);
  return { weights, intercepts: new Float64Array(m) };
}
