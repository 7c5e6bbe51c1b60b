/**
 * Numbers with decimal commas, as German and French programs write them, rewritten with points.
 * @module
 */
import { hasDecimalComma, isMissing, parseNumber } from "../../table/cells.js";
import type { Table } from "../../table/table.js";

const WITH_THOUSANDS = /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d*)?$/;

/**
 * A column all of whose values are numbers with commas, or without a fraction, becomes one of numbers with
 * points; others stay as they are. Where a column of numbers has points, these may separate thousands: it stays as it is, and
 * is refused where it is taken for numbers.
 */
export function pointsForCommas(table: Table): Table {
  const columns = table.columns.map((column) => {
    const cells = column.values as readonly string[];
    const isNumber = (cell: string) =>
      isMissing(cell) ||
      hasDecimalComma(cell) ||
      WITH_THOUSANDS.test(cell) ||
      parseNumber(cell) !== undefined;
    if (!cells.every(isNumber)) return column;
    if (cells.some((cell) => cell.includes(".")))
      return { ...column, values: cells, points: true as const };
    return { name: column.name, values: cells.map((cell) => cell.replace(",", ".")) };
  });
  return table.withColumns(columns);
}
