/**
 * Which rows are of the same person, and how many of them there may be: what a promise about persons is sized for.
 *
 * Who has which rows is public, like the number of a task's rows; what stands in them is not.
 * @module
 */
import { DataError } from "../../core/errors.js";
import type { Table } from "../table/table.js";

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
    if (persons?.length !== sizes[i]!) {
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
