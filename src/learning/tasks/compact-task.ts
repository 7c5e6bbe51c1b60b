/**
 * Sparse tasks one at a time as dense ones of the columns that they use: for exact solves, where a task's other
 * weights are 0.
 * @module
 */
import { compactRows, type SparseRows } from "../../data/index.js";
import type { ResidentTasks } from "./resident-tasks.js";
import type { LocalModels } from "./local-models.js";

/** One task with dense rows, and which columns of the set these are where they are not all. */
export interface DenseTask {
  readonly task: ResidentTasks;
  readonly columns: Uint32Array | undefined;
}

/** Task i alone, of sparse rows with the columns that it uses (one of zeros where it uses none), in memory that the caller releases. */
export function denseTask(tasks: ResidentTasks, i: number): DenseTask {
  const { arena } = tasks.core;
  const [from, to] = arena.words(tasks.offsets + 4 * i, 2);
  const n = to! - from!;
  if (tasks.isDense) {
    return { task: tasks.oneTask(i, tasks.wideRows(from!, n), tasks.d), columns: undefined };
  }
  const { x, columns } = compactRows(sparseRows(tasks), from!, to!);
  const rows = arena.copyOf(columns.length > 0 ? x : new Float64Array(n));
  return { task: tasks.oneTask(i, rows, Math.max(columns.length, 1)), columns };
}

/**
 * The models that `solve` finds for every task of sparse rows, [m, d]; what it puts into the core is gone when it returns.
 * @param solve gets one task with dense rows; a column that is 0 in all of them has weight 0.
 */
export function byCompactTasks(
  tasks: ResidentTasks,
  solve: (task: ResidentTasks, i: number) => LocalModels,
): LocalModels {
  const { core, m, d } = tasks;
  const { arena } = core;
  const result = { weights: new Float64Array(m * d), intercepts: new Float64Array(m) };
  for (let i = 0; i < m; i++) {
    const mark = arena.mark();
    const { task, columns } = denseTask(tasks, i);
    const { weights, intercepts } = solve(task, i);
    columns!.forEach((column, k) => (result.weights[i * d + column] = weights[k]!));
    result.intercepts[i] = intercepts[0]!;
    arena.release(mark);
  }
  return result;
}

/** Views of the rows where they lie. */
export function sparseRows({ core, rows, starts, columns, x }: ResidentTasks): SparseRows {
  const { arena } = core;
  const ends = arena.words(starts, rows + 1);
  const entries = ends[rows]!;
  return {
    starts: ends,
    columns: arena.words(columns, entries),
    values: arena.view(x, entries),
  };
}
