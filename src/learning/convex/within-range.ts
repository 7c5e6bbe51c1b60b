/**
 * Tasks of methods without noise, placed where their numbers are small enough to compute with. Private
 * methods place any: there a task whose numbers overflow shares nothing, and the others go on.
 * @module
 */
import { DataError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { placeTasks, type Placed, type Placing } from "../tasks/resident-tasks.js";
import type { CommonOptions } from "../tasks/common-options.js";

/** Beyond the root of the largest double, about 1.3e154, a square is infinite. */
const LARGEST = 1e150;

/**
 * Places the tasks, by default in a core of their own.
 * @throws DataError naming the first task and row with a feature or target beyond 1e150, where squares or
 *   their sum exceed float64; and as {@link placeTasks} does.
 */
export function placeWithinRange(data: TaskSet, options: CommonOptions, placing?: Placing): Placed {
  const placed = placeTasks(data, options, placing);
  const { core, x, y, rows, entries } = placed.tasks;
  const squares = core.kernels.dot(x, x, entries) + core.kernels.dot(y, y, rows);
  if (!Number.isFinite(squares)) refuse(data);
  return placed;
}

function refuse(data: TaskSet): never {
  const { d } = data;
  const beyond = (value: number) => Math.abs(value) > LARGEST;
  for (const { name, x, y, n } of data) {
    for (let row = 0; row < n; row++) {
      const column = x.subarray(row * d, (row + 1) * d).findIndex(beyond);
      if (column < 0 && !beyond(y[row]!)) continue;
      const what = column < 0 ? data.targetName : data.featureNames[column]!;
      throw new DataError(
        `task ${JSON.stringify(name)}, row ${row}, ${JSON.stringify(what)}: expected a number within ` +
          `+-${LARGEST}, whose square float64 can hold. Change the unit` +
          (column < 0 ? "." : ", or scale rows to length 1 (--normalize rows)."),
      );
    }
  }
  throw new DataError(
    "the sum of the squares of all features and targets exceeds float64; change their units.",
  );
}
