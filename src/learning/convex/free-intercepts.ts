/**
 * Which intercepts of a logistic fit have a finite best value: a task whose rows are all of one class is fitted
 * without an intercept, as its unpenalised one would grow for ever.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import { ResidentTasks } from "../tasks/resident-tasks.js";

/** Tasks of which some have their intercepts held where they start, at 0. */
class HeldIntercepts extends ResidentTasks {
  /** Positions of those tasks. */
  declare readonly held: readonly number[];

  override gradients(
    weights: Pointer,
    intercepts: Pointer,
    gradients: Pointer,
    interceptGradients: Pointer,
    losses: Pointer = 0,
    data: Pointer = this.at,
  ): void {
    super.gradients(weights, intercepts, gradients, interceptGradients, losses, data);
    if (interceptGradients === 0) return;
    const slopes = this.core.arena.view(interceptGradients, this.m);
    for (const task of this.held) slopes[task] = 0;
  }
}

/** Positions of the tasks whose rows are all of one class. */
function ofOneClass({ core, y, offsets, rows, m }: ResidentTasks): number[] {
  const labels = core.arena.view(y, rows);
  const ends = core.arena.words(offsets, m + 1);
  return Array.from({ length: m }, (_, i) => i).filter((i) => {
    const own = labels.subarray(ends[i], ends[i + 1]);
    return own.every((label) => label === own[0]);
  });
}

/** The same tasks, with the intercepts held that have no finite best value. */
export function withFreeIntercepts(tasks: ResidentTasks): ResidentTasks {
  if (tasks.loss !== "logistic" || !tasks.intercept) return tasks;
  const held = ofOneClass(tasks);
  if (held.length === 0) return tasks;
  const result = Object.create(HeldIntercepts.prototype) as HeldIntercepts;
  return Object.assign(result, tasks, { held });
}
