/**
 * Numbers with decimal commas, as German and French programs write them, rewritten with points.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { isMissing, parseNumber } from "../cells.js";
import type { Table } from "../table.js";

const WITH_COMMA = /^[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?$/;
const WITH_THOUSANDS = /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d*)?$/;

/**
 * A column all of whose values are numbers with commas, or without a fraction, becomes one of numbers with
 * points; others stay as they are.
 * @throws DataError where a column of numbers has points, which may then separate thousands.
 */
export function pointsForCommas(table: Table): Table {
  const columns = table.columns.map((column) => {
    const cells = column.values as readonly string[];
    const isNumber = (cell: string) =>
      isMissing(cell) ||
      WITH_COMMA.test(cell) ||
      WITH_THOUSANDS.test(cell) ||
      parseNumber(cell) !== undefined;
    if (!cells.every(isNumber)) return column;
    const row = cells.findIndex((cell) => cell.includes("."));
    if (row >= 0) {
      throw new DataError(
        `${table.place(row, column.name)}: found a point in a column of numbers of a table with decimal commas; ` +
          "write fractions with commas, and nothing between thousands.",
      );
    }
    return { name: column.name, values: cells.map((cell) => cell.replace(",", ".")) };
  });
  return table.withColumns(columns);
}
