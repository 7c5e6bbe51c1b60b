/**
 * Where single records are hidden: persons who have several, owners with budgets of their own, and what must hold of the data.
 * @module
 */
import { OptionError } from "../../core/index.js";
import { requireBound, requireRecordsApart, type TaskSet } from "../../data/index.js";
import type { PersonBound } from "../../privacy/index.js";
import { aPositiveInteger } from "./kinds.js";
import { option, type OptionsOf } from "./option.js";
import { requireWithin, someTaskEpsilons } from "./task-epsilons.js";

/** What the budget hides. */
export type Unit = "task" | "record" | "both";

export const personOptions = {
  /**
   * With unit "record" or "both": most rows that one person has in a task, and most tasks that have rows of one person, both
   * public; default 1. Above 1 the noise hides all rows of a person instead of one record: of so many rows, that much more.
   */
  rowsPerPerson: option(aPositiveInteger, {
    group: "privacy",
    help: "With unit record or both: most rows of one person in a task; above 1, a person's are hidden together.",
    default: 1,
  }),
  /** See `rowsPerPerson`. */
  tasksPerPerson: option(aPositiveInteger, {
    group: "privacy",
    help: "With unit record or both: most tasks with rows of one person; above 1, they are hidden together.",
    default: 1,
  }),
  /**
   * With unit "record" or "both": epsilons of owners who state less than `epsilon`, by the name of their task; null (default): all
   * have `epsilon`. What an owner's rows add to the sums is scaled down to its budget, publicly, and its own account
   * is `model.forTask(name).guarantee`. In a federated run participants state theirs as they join.
   */
  taskEpsilons: option(someTaskEpsilons, {
    group: "privacy",
    help: "With unit record or both: smaller eps of owners who state their own, by task.",
    default: null,
    later: true,
  }),
};

/** What methods that hide single records may be told of persons who have several. */
export interface PersonOptions extends OptionsOf<typeof personOptions> {}

/** What decides what the noise hides. */
export type UnitChoice = { readonly unit: Unit } & Pick<PersonOptions, keyof PersonBound>;

/** @throws OptionError for persons, or owners with budgets of their own, that no account here covers. */
export function checkPersons(
  options: { readonly unit?: Unit; readonly epsilon?: number } & Partial<PersonOptions>,
): void {
  const { unit = "task", epsilon, taskEpsilons, tasksPerPerson = 1 } = options;
  for (const name of ["rowsPerPerson", "tasksPerPerson"] as const) {
    if (unit !== "task" || (options[name] ?? 1) === 1) continue;
    throw new OptionError(
      `${name}: the unit "task" hides all rows of a task, whose ever they are; persons need the unit "record" or "both"`,
    );
  }
  if (!taskEpsilons) return;
  if (unit === "task") {
    throw new OptionError(
      'taskEpsilons: owners have budgets of their own with the unit "record" or "both"; the unit is "task"',
    );
  }
  if (tasksPerPerson > 1) {
    throw new OptionError(
      "taskEpsilons: a person who is in several tasks would have no one owner's epsilon; expected tasksPerPerson 1, or one " +
        "epsilon for all",
    );
  }
  requireWithin(taskEpsilons, epsilon!);
}

/** What a person may contribute; undefined where that is one record. */
export function personOf({
  unit,
  rowsPerPerson,
  tasksPerPerson,
}: UnitChoice): PersonBound | undefined {
  const several = rowsPerPerson > 1 || tasksPerPerson > 1;
  return unit !== "task" && several ? { rowsPerPerson, tasksPerPerson } : undefined;
}

/** Rows of one person over all tasks, at most. */
export const rowsOf = ({ rowsPerPerson, tasksPerPerson }: PersonBound) =>
  rowsPerPerson * tasksPerPerson;

/**
 * That what the noise hides of a record, or of a person, is all there is of it.
 * @throws DataError where rows depend on others of their task, or a person has more than the bound.
 */
export function requireUnit(data: TaskSet, options: UnitChoice): void {
  if (options.unit === "task") return;
  requireRecordsApart(data, `unit "${options.unit}"`);
  requireBound(data, options);
}
