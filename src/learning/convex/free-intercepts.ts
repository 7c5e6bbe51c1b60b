/**
 * Which intercepts of a logistic fit have a finite best value: a task whose rows are all of one class is fitted
 * without an intercept, as its unpenalised one would grow for ever.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import { ResidentTasks } from "../tasks/resident-tasks.js";

/** Tasks of which some have their intercepts fixed where they start, at 0: their slopes are zero. */
class FixedIntercepts extends ResidentTasks {
  /** Positions of those tasks, ascending. */
  declare readonly fixed: ReadonlySet<number>;

  override gradients(...at: Parameters<ResidentTasks["gradients"]>): void {
    super.gradients(...at);
    const [, , , interceptGradients] = at;
    holdFixed(this, interceptGradients);
  }

  override gradientsOfMargins(...at: Parameters<ResidentTasks["gradientsOfMargins"]>): void {
    super.gradientsOfMargins(...at);
    const [, , , interceptGradients] = at;
    holdFixed(this, interceptGradients);
  }
}

function holdFixed({ core, m, fixed }: FixedIntercepts, interceptGradients: Pointer): void {
  if (interceptGradients === 0) return;
  const slopes = core.arena.view(interceptGradients, m);
  for (const task of fixed) slopes[task] = 0;
}

/** Positions of the tasks whose rows that weigh anything are all of one class. */
function ofOneClass(tasks: ResidentTasks): number[] {
  const { core, y, offsets, rows, m } = tasks;
  const weights = tasks.sampleWeights();
  const labels = core.arena.view(y, rows);
  const ends = core.arena.words(offsets, m + 1);
  return Array.from({ length: m }, (_, i) => i).filter((i) => {
    const own = labels
      .subarray(ends[i], ends[i + 1])
      .filter((_, row) => weights === undefined || weights[ends[i]! + row]! > 0);
    return own.every((label) => label === own[0]);
  });
}

const NONE: ReadonlySet<number> = new Set();

/** Positions of the tasks whose intercepts are fixed, ascending. */
export function fixedIntercepts(tasks: ResidentTasks): ReadonlySet<number> {
  return tasks instanceof FixedIntercepts ? tasks.fixed : NONE;
}

/** The same tasks, with the intercepts fixed that have no finite best value. */
export function withFreeIntercepts(tasks: ResidentTasks): ResidentTasks {
  if (tasks.loss !== "logistic" || !tasks.intercept) return tasks;
  const fixed = new Set(ofOneClass(tasks));
  if (fixed.size === 0) return tasks;
  const result = Object.create(FixedIntercepts.prototype) as FixedIntercepts;
  return Object.assign(result, tasks, { fixed });
}
