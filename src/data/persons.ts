/**
 * Which rows are of the same person, and how many of them there may be: what a promise about persons is sized for.
 *
 * Who has which rows is public, like the number of a task's rows; what stands in them is not.
 * @module
 */
import { DataError } from "../core/errors.js";
import type { PersonBound } from "../privacy/index.js";
import type { Table } from "./table.js";
import type { TaskSet } from "./task-set.js";

/** Gives a person a number: the next one where it is met for the first time. */
function numbering(): (person: unknown) => number {
  const numbers = new Map<unknown, number>();
  return (person) => {
    const known = numbers.get(person);
    if (known !== undefined) return known;
    numbers.set(person, numbers.size);
    return numbers.size - 1;
  };
}

/**
 * Numbers the persons of a table's rows, in the order of `rows`.
 * @param person the column that says with whose row each is.
 * @throws DataError naming the first cell without a person.
 */
export function personsOfRows(table: Table, person: string, rows: Uint32Array): Uint32Array {
  const column = table.column(person);
  const numberOf = numbering();
  return rows.map((row) => {
    if (!table.missing(column, row)) return numberOf(column.values[row]!);
    throw new DataError(`${table.place(row, person)}: the person is missing; every row needs one.`);
  });
}

/** Numbers persons in the order in which they occur, over all tasks. */
export function numberPersons(
  tasks: readonly { readonly name: string; readonly persons?: ArrayLike<unknown> | undefined }[],
  sizes: readonly number[],
): Uint32Array | undefined {
  if (tasks.every(({ persons }) => persons === undefined)) return undefined;
  const numberOf = numbering();
  const out = new Uint32Array(sizes.reduce((sum, n) => sum + n, 0));
  let at = 0;
  tasks.forEach(({ name, persons }, i) => {
    if (persons?.length !== sizes[i]) {
      throw new DataError(
        `task ${JSON.stringify(name)}: persons: expected one for each of its ${sizes[i]} rows, ` +
          `${persons ? `got ${persons.length}` : "as other tasks have them, got none"}.`,
      );
    }
    for (let row = 0; row < persons.length; row++) {
      const person = persons[row];
      if (person === "" || (typeof person !== "string" && !Number.isSafeInteger(person))) {
        throw new DataError(
          `task ${JSON.stringify(name)}, row ${row}: persons: expected a text that is not empty, or an integer.`,
        );
      }
      out[at++] = numberOf(person);
    }
  });
  return out;
}

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
 * @throws DataError naming the first task that would be left without a row.
 * @see Krichene, Jain, Song, Sundararajan, Thakurta and Zhang (2023), "Multi-task differential privacy under distribution
 *   skew", on bounding what a person adds over tasks.
 * @example const tasks = boundPersons(all, { rowsPerPerson: 2, tasksPerPerson: 1 });
 */
export function boundPersons(tasks: TaskSet, bound: PersonBound): TaskSet {
  if (!tasks.persons) return tasks;
  const keep = within(tasks, bound);
  if (keep.every((kept) => kept === 1)) return tasks;
  tasks.names.forEach((name, i) => {
    if (keep.subarray(tasks.offsets[i], tasks.offsets[i + 1]).includes(1)) return;
    throw new DataError(
      `task ${JSON.stringify(name)} would have no row left: all its rows are of persons who are in ${bound.tasksPerPerson} ` +
        "tasks before it. Allow more tasks for one person (tasksPerPerson, --tasks-per-person), or leave the task out.",
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
