/**
 * The own fits of a batch of tasks, and their losses.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import type { OwnFit } from "./own-fit.js";
import type { OwnRows } from "./own-rows.js";

/** Tasks between two pauses. */
const AT_ONCE = 16;

/** Models of given rows, [m, d] and [m], and every task's weight of learning alone, [m]. */
export interface SolvedTasks {
  readonly models: { readonly weights: Float64Array; readonly intercepts: Float64Array };
  readonly alone: Float64Array;
}

/** Every task's own fit, stopping now and then. */
export function* solveTasks(
  rows: OwnRows,
  fit: (i: number) => OwnFit,
): Generator<void, SolvedTasks> {
  const { m, d } = rows;
  const weights = new Float64Array(m * d);
  const intercepts = new Float64Array(m);
  const alone = new Float64Array(m);
  for (let i = 0; i < m; i++) {
    const own = fit(i);
    alone[i] = own.alone;
    intercepts[i] = rows.restore(i, own.model);
    weights.set(own.model, i * d);
    if (i % AT_ONCE === 0) yield;
  }
  return { models: { weights, intercepts }, alone };
}

/** Half the mean squared residual of every task, [m]. */
export function taskLosses(
  { m, d, x, y, offsets }: TaskSet,
  { weights, intercepts }: { weights: Float64Array; intercepts: Float64Array | null },
): Float64Array<ArrayBuffer> {
  const losses = new Float64Array(m);
  for (let i = 0; i < m; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    for (let row = from; row < to; row++) {
      let residual = y[row]! - (intercepts?.[i] ?? 0);
      for (let j = 0; j < d; j++) residual -= x[row * d + j]! * weights[i * d + j]!;
      losses[i]! += residual ** 2 / (2 * (to - from));
    }
  }
  return losses;
}
