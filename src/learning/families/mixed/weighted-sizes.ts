/**
 * How many tasks and rows there are where owners' uploads are scaled by public factors, since they have budgets of their own.
 * @module
 */
import type { PublicSizes } from "../../round/halves.js";

/** Of a sum in which task i has the factor w_i, and n_i rows. */
export interface WeightedSizes {
  /** sum w_i, and sum w_i n_i: what expectations are multiples of. */
  readonly tasks: number;
  readonly rows: number;
  /** (sum w_i)^2 / sum w_i^2, and (sum w_i n_i)^2 / sum w_i^2 n_i: as many would vary as little. */
  readonly effectiveTasks: number;
  readonly effectiveRows: number;
  /** Rows of a task, in that mean. */
  readonly meanRows: number;
}

/** @param weights by position; absent: all 1. */
export function weightedSizes(
  { m, rows, owners }: PublicSizes,
  weights: readonly number[] | undefined,
): WeightedSizes {
  if (!owners || !weights) {
    const meanRows = rows / m;
    const all = m * meanRows;
    return { tasks: m, rows: all, effectiveTasks: m, effectiveRows: all, meanRows };
  }
  let [tasks, all, squaredTasks, squaredRows] = [0, 0, 0, 0];
  weights.forEach((w, i) => {
    const n = owners.rows[i]!;
    tasks += w;
    all += w * n;
    squaredTasks += w * w;
    squaredRows += w * w * n;
  });
  const [effectiveTasks, effectiveRows] = [tasks ** 2 / squaredTasks, all ** 2 / squaredRows];
  return {
    tasks,
    rows: all,
    effectiveTasks,
    effectiveRows,
    meanRows: effectiveRows / effectiveTasks,
  };
}
