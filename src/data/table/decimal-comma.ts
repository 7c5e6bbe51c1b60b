/**
 * Numbers with decimal commas, as German and French programs write them, rewritten with points.
 * @module
 */
import {
  arePercentages,
  hasDecimalComma,
  isMissing,
  parseNumber,
  withoutPercent,
} from "./cells.js";
import type { Table, TextColumn } from "./table.js";

const WITH_THOUSANDS = /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d*)?$/;

const isNumber = (cell: string) =>
  isMissing(cell) ||
  hasDecimalComma(cell) ||
  WITH_THOUSANDS.test(cell) ||
  parseNumber(cell) !== undefined;

/**
 * A column all of whose values are numbers with commas, or without a fraction, as one of numbers with points; another stays
 * as it is. Where a column of numbers has points, these may separate thousands: it stays as it is, and is refused where it is
 * taken for numbers.
 */
export function withDecimalPoints(column: TextColumn): TextColumn {
  const cells = column.values;
  const percentages = arePercentages(cells);
  if (!cells.every((cell) => isNumber(percentages ? withoutPercent(cell) : cell))) return column;
  if (cells.some((cell) => cell.includes(".") && !isMissing(cell))) {
    return { ...column, points: true as const };
  }
  return { name: column.name, values: cells.map((cell) => cell.replace(",", ".")) };
}

/** Whether that was done with a column, so that a point in it no longer separates thousands. */
export function hasDecimalPoints({ values, points }: TextColumn): boolean {
  const percentages = arePercentages(values);
  const bare = (cell: string) => (percentages ? withoutPercent(cell) : cell);
  return (
    !points && values.every((cell) => isMissing(cell) || parseNumber(bare(cell)) !== undefined)
  );
}

/** The same of all columns of a table that was read as text. */
export function pointsForCommas(table: Table): Table {
  return table.withColumns(table.columns.map((column) => withDecimalPoints(column as TextColumn)));
}
