/**
 * That a task set is given where one is expected: whoever hands over the rows themselves is told what makes one of them.
 * @module
 */
import { kindOf } from "../../core/messages/kind-of.js";
import type { TaskSet } from "../tasks/task-set.js";

/** @throws TypeError if the argument is none; a set of another copy of the library is one. */
export function requireTaskSet(name: string, given: TaskSet): void {
  const { requireRows } = (given ?? {}) as Partial<TaskSet>;
  if (typeof requireRows === "function") return;
  throw new TypeError(
    `${name}: expected a task set, got ${kindOf(given)}; TaskSet.from([{ name, x, y }, …]) makes one of rows`,
  );
}
