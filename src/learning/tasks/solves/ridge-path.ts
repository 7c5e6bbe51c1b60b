/**
 * Every task's ridge models for a list of penalties, from one decomposition, and the one that its own rows choose.
 * @module
 */
import { KernelRecord } from "../kernel-record.js";
import { refuse } from "./local-solves.js";
import type { ResidentTasks } from "../resident-tasks.js";

/** What {@link ridgePath} finds, a row or an entry per task. */
export interface RidgePath {
  readonly weights: Float64Array;
  readonly intercepts: Float64Array;
  /** Positions in the list of candidates. */
  readonly chosen: Float64Array;
  /** Mean squared leave-one-out errors of the chosen. */
  readonly errors: Float64Array;
  /**
   * Models without a fold, the folds of task 0, then of task 1, ...: fold k of n rows leaves out rows
   * k, k + parts, ..., for k < min(parts, n); a task of one row has none.
   */
  readonly folds: { readonly weights: Float64Array; readonly intercepts: Float64Array };
}

/** The record of assembly/tasks/ridge-path.ts, in its order. */
const WORDS = [
  "data",
  "penalties",
  "count",
  "weights",
  "intercepts",
  "chosen",
  "errors",
  "parts",
  "foldWeights",
  "foldIntercepts",
  "work",
] as const;

/**
 * Every task's ridge model (squared loss) with the one of `penalties` that has the least mean squared
 * leave-one-out error on the task's own rows.
 *
 * @param penalties > 0, on the scale of the tasks' losses.
 * @param parts number of folds for which the model without the fold is also computed, with a choice of its own; default none.
 * @see Golub, Heath, Wahba (1979), for the closed form.
 */
export function ridgePath(tasks: ResidentTasks, penalties: Float64Array, parts = 0): RidgePath {
  const { core, m, d, offsets, mostRows } = tasks;
  const { arena, kernels } = core;
  const mark = arena.mark();
  try {
    const weights = arena.f64(m * d);
    const intercepts = arena.zeros(m);
    const chosen = arena.f64(m);
    const errors = arena.f64(m);
    const candidates = arena.copyOf(penalties);
    const ends = arena.words(offsets, m + 1);
    let count = 0;
    for (let i = 0; i < m; i++) {
      const n = ends[i + 1]! - ends[i]!;
      if (n > 1) count += Math.min(n, parts);
    }
    const foldWeights = arena.f64(count * d, "the tasks' models on folds");
    const foldIntercepts = arena.zeros(count);
    const work = arena.bytes(kernels.taskRidgePathWorkspace(mostRows, d));
    const record = new KernelRecord(core, 0, WORDS);
    record.write([], {
      data: tasks.placeWhole(),
      penalties: candidates,
      count: penalties.length,
      weights,
      intercepts: tasks.intercept ? intercepts : 0,
      chosen,
      errors,
      parts,
      foldWeights,
      foldIntercepts,
      work,
    });
    refuse(tasks, kernels.taskRidgePath(record.at));
    const copy = (at: number, length: number) => arena.view(at, length).slice();
    return {
      folds: { weights: copy(foldWeights, count * d), intercepts: copy(foldIntercepts, count) },
      weights: copy(weights, m * d),
      intercepts: copy(intercepts, m),
      chosen: copy(chosen, m),
      errors: copy(errors, m),
    };
  } finally {
    arena.release(mark);
  }
}
