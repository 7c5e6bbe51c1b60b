/**
 * Rows that models are made of, and scored on, where no privacy asks that a task's strange numbers stay its own matter: there all numbers
 * are small enough to compute with. Private fits hold them instead (`held-rows.ts`).
 * @module
 */
import { areSquarable, isSquarable, tooLargeWords } from "../../core/squarable.js";
import { DataError } from "../../core/errors.js";
import type { TaskSet } from "../tasks/task-set.js";

/** Sets that were looked at: they do not change, and fits of one are often many. */
const known = new WeakSet<TaskSet>();

/** Whether all features and targets of numbers are. */
export function hasSquarableRows(tasks: TaskSet): boolean {
  if (known.has(tasks)) return true;
  const { sparse, targetLevels, y } = tasks;
  if (!areSquarable(sparse ? sparse.values : tasks.x)) return false;
  if (!targetLevels && !areSquarable(y)) return false;
  known.add(tasks);
  return true;
}

/**
 * Refuses features and targets whose squares sums cannot hold. Rows that stand for others were held to it when they were read.
 * @throws DataError naming the task, its row (from 0) and the column.
 */
export function requireSquarableRows(tasks: TaskSet): void {
  if (tasks.standFor || hasSquarableRows(tasks)) return;
  const { sparse, y, featureNames, targetName, d } = tasks;
  const at = (sparse ? sparse.values : tasks.x).findIndex((value) => !isSquarable(value));
  if (at >= 0) {
    const row = sparse ? sparse.starts.findIndex((start) => start > at) - 1 : Math.floor(at / d);
    refuse(tasks, row, featureNames[sparse ? sparse.columns[at]! : at % d]!);
  }
  refuse(
    tasks,
    y.findIndex((value) => !isSquarable(value)),
    targetName,
  );
}

function refuse({ names, offsets }: TaskSet, row: number, column: string): never {
  const task = offsets.findIndex((first) => first > row) - 1;
  throw new DataError(
    `task ${JSON.stringify(names[task])}, row ${row - offsets[task]!}, column ${JSON.stringify(column)}: ${tooLargeWords}.`,
  );
}
