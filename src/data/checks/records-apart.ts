/**
 * Whether every row was prepared by itself: a promise about one record holds only where no record's values stand in the
 * rows of others, or beside them in what is handed on.
 * @module
 */
import { DataError } from "../../core/errors.js";
import type { TaskSet } from "../tasks/task-set.js";

/** In words, what was learned from each task's own rows and enters all of them, or the model's file. */
function learnedFromOwnRows({ encoding }: TaskSet): readonly string[] {
  return encoding.provenance.flatMap(({ what, from }) => (from === "task" ? [what] : []));
}

/** Whether no row depends on other rows of its task. */
export const recordsApart = (tasks: TaskSet): boolean => learnedFromOwnRows(tasks).length === 0;

/**
 * @param promise the option by which single records are protected, for the message.
 * @throws DataError naming what ties the rows of a task together.
 */
export function requireRecordsApart(tasks: TaskSet, promise: string): void {
  const [first, ...more] = learnedFromOwnRows(tasks);
  if (first === undefined) return;
  const others = more.length > 0 ? `, and ${more.length} more` : "";
  throw new DataError(
    `${promise} protects single records, but ${first} from each task's own rows${others} would show one record in ` +
      'others and in the model. Declare what stands for missing values (a schema\'s "missing": a value, "level", "drop" or ' +
      '"refuse", not "task-mean"); of columns for which the schema says nothing of them take the middle of the declared range ' +
      '(missing: "center", --missing center). Standardize by declared ranges.',
  );
}
