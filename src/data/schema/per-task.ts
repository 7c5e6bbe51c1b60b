/**
 * That columns which are declared to be the same in all rows of a task are. What learns from them relies on it.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { someNames } from "../../core/messages/some-names.js";
import { levelsIn } from "../columns/categorical.js";
import type { Groups } from "../table/groups.js";
import type { Table } from "../table/table.js";

const declared = (column: string) =>
  `the column ${JSON.stringify(column)} is declared perTask, the same in all rows of a task`;

/**
 * Of a table's column; cells without a value are like any.
 * @throws DataError naming file, line and column of the first cell unlike those before it.
 */
export function requireOneOfEach(
  table: Table,
  column: string,
  { names, offsets, rows }: Groups,
): void {
  const texts = levelsIn(table, column);
  names.forEach((name, i) => {
    let first = "";
    for (const row of rows.subarray(offsets[i], offsets[i + 1])) {
      const text = texts[row]!;
      if (text === "" || text === first) continue;
      if (first !== "") {
        throw new DataError(
          `${table.place(row, column)}: the task ${JSON.stringify(name)} has another value in a row before; ${declared(column)}. ` +
            "Correct the cell, or take perTask out of the declaration.",
        );
      }
      first = text;
    }
  });
}

/** Rows of tasks one after the other. */
interface Rows {
  /** [N, d], row-major. */
  readonly x: Float64Array;
  readonly offsets: Uint32Array;
  readonly names: readonly string[];
  readonly featureNames: readonly string[];
}

/** Of features of arrays. @throws DataError naming a feature that there is not, or task, row and column of the first other value. */
export function requireOneValue(
  columns: readonly string[],
  { x, offsets, names, featureNames }: Rows,
): void {
  const d = featureNames.length;
  for (const column of columns) {
    const at = featureNames.indexOf(column);
    if (at < 0) {
      throw new DataError(
        `perTask: there is no feature ${JSON.stringify(column)}; there are ${someNames(featureNames)}.`,
      );
    }
    names.forEach((name, i) => {
      const first = offsets[i]!;
      for (let row = first + 1; row < offsets[i + 1]!; row++) {
        if (x[row * d + at] === x[first * d + at]) continue;
        throw new DataError(
          `task ${JSON.stringify(name)}, row ${row - first}: another value than in row 0; ${declared(column)}. ` +
            "Correct it, or take the column out of perTask.",
        );
      }
    });
  }
}
