/**
 * How many rows of one person there may be: what a promise about persons is sized for.
 * @module
 */
import { integer, object } from "../../core/checks.js";
import { requireTaskSet } from "./require-task-set.js";
import { DataError } from "../../core/errors.js";
import type { PersonBound } from "../../privacy/index.js";
import type { TaskSet } from "../tasks/task-set.js";

/** Marks the rows that stay: of every person the first of each task, in the first tasks that have any. */
function within({ persons, offsets, m }: TaskSet, bound: PersonBound): Uint8Array {
  const keep = new Uint8Array(persons!.length);
  const [rows, tasks, latest] = [new Map<number, number>(), new Map<number, number>(), new Map()];
  for (let i = 0; i < m; i++) {
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) {
      const person = persons![row]!;
      if (latest.get(person) !== i) {
        latest.set(person, i);
        rows.set(person, 0);
        tasks.set(person, (tasks.get(person) ?? 0) + 1);
      }
      const count = rows.get(person)! + 1;
      rows.set(person, count);
      keep[row] =
        count <= bound.rowsPerPerson && tasks.get(person)! <= bound.tasksPerPerson ? 1 : 0;
    }
  }
  return keep;
}

/**
 * The rows within a bound on what one person contributes: of every person the first rows of each task, in the first tasks
 * that have any. Looks at who has which rows only, never at what stands in them.
 *
 * @returns the same set if all are within it, or if nothing is said of persons.
 * @throws DataError naming the first task that would be left without a row; RangeError or TypeError for a bound that is no integer >= 1.
 * @see Krichene, Jain, Song, Sundararajan, Thakurta and Zhang (2023), "Multi-task differential privacy under distribution
 *   skew", on bounding what a person adds over tasks.
 * @example const tasks = boundPersons(all, { rowsPerPerson: 2, tasksPerPerson: 1 });
 */
export function boundPersons(tasks: TaskSet, bound: PersonBound): TaskSet {
  requireTaskSet("tasks", tasks);
  object("bound", bound);
  integer("rowsPerPerson", bound.rowsPerPerson, 1);
  integer("tasksPerPerson", bound.tasksPerPerson, 1);
  if (!tasks.persons) return tasks;
  const keep = within(tasks, bound);
  if (keep.every((kept) => kept === 1)) return tasks;
  tasks.names.forEach((name, i) => {
    if (keep.subarray(tasks.offsets[i], tasks.offsets[i + 1]).includes(1)) return;
    throw new DataError(
      `task ${JSON.stringify(name)} would have no row left: all its rows are of persons who are in ${bound.tasksPerPerson} ` +
        "tasks before it. Allow more tasks for one person (tasksPerPerson), or leave the task out.",
    );
  });
  return tasks.where((row, i) => keep[tasks.offsets[i]! + row] === 1);
}

/** @throws DataError if some person has more rows than the bound says; nothing if nothing is said of persons. */
export function requireBound(tasks: TaskSet, bound: PersonBound): void {
  if (!tasks.persons || within(tasks, bound).every((kept) => kept === 1)) return;
  throw new DataError(
    `persons: some person has more than ${bound.rowsPerPerson} rows in a task or is in more than ${bound.tasksPerPerson} ` +
      "tasks, which the noise would not hide. Keep the rows within the bound (boundPersons, fit --person), or raise it " +
      "(rowsPerPerson, tasksPerPerson), for more noise.",
  );
}
