/**
 * The error of each task's test rows, as a traced cell keeps it.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import { errorOf, type Scores } from "../../../learning/index.js";

const DIGITS = 5;

/** Task by task, in five digits; null where the error is not defined. */
export function taskErrors(
  { names }: Pick<TaskSet, "names">,
  scoreOf: (name: string, index: number) => Scores,
): (number | null)[] {
  return names.map((name, index) => {
    const error = errorOf(scoreOf(name, index));
    return error === null ? null : Number(error.toPrecision(DIGITS));
  });
}
