/**
 * `--person`: keeps each person's rows within what the method's promise is sized for, and says what that left out.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { OptionError } from "../../core/index.js";
import { boundPersons, type TaskSet } from "../../data/index.js";

/** Tasks within the bound, and a line on what was left out. */
export interface BoundedTasks {
  readonly tasks: TaskSet;
  readonly notes: readonly string[];
}

/**
 * @param options of the method; what is absent has its default, 1.
 * @throws OptionError where the method's promise is not one of records.
 */
export function boundByOptions(
  tasks: TaskSet,
  options: Readonly<Record<string, unknown>>,
): BoundedTasks {
  if (!tasks.persons) return { tasks, notes: [] };
  const { unit = "task", rowsPerPerson = 1, tasksPerPerson = 1 } = options;
  if (unit === "task") {
    throw new OptionError(
      "--person: rows of one person are counted where they are hidden together, with --unit record or both (mp-mixed, auto); " +
        "the unit task hides all rows of a task.",
    );
  }
  const bound = { rowsPerPerson: Number(rowsPerPerson), tasksPerPerson: Number(tasksPerPerson) };
  const bounded = boundPersons(tasks, bound);
  const out = tasks.size - bounded.size;
  return {
    tasks: bounded,
    notes:
      out === 0
        ? []
        : [
            `${counted(out, "row")} left out, of persons with more than ${bound.rowsPerPerson} in a task or in more than ` +
              `${counted(bound.tasksPerPerson, "task")} (--rows-per-person, --tasks-per-person)`,
          ],
  };
}
