/**
 * Sparse tasks one at a time as dense ones of the columns that they use: for exact solves, where a task's other
 * weights are 0.
 * @module
 */
import { compactRows, type SparseRows } from "../../data/index.js";
import type { ResidentTasks } from "./resident-tasks.js";
import type { LocalModels } from "./local-models.js";

/**
 * The models that `solve` finds for every task, [m, d]; what it puts into the core is gone when it returns.
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
    const [from, to] = arena.words(tasks.offsets + 4 * i, 2);
    const { x, columns } = compactRows(sparseRows(tasks), from!, to!);
    const own = tasks.oneTask(
      i,
      arena.copyOf(columns.length > 0 ? x : new Float64Array(to! - from!)),
      Math.max(columns.length, 1),
    );
    const { weights, intercepts } = solve(own, i);
    columns.forEach((column, k) => (result.weights[i * d + column] = weights[k]!));
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
