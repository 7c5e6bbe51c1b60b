/**
 * The cells of a column as they were written, for tables that carry them on.
 * @module
 */
import type { CsvDialect } from "./csv-text.js";
import { isNumberColumn, type Table } from "./table.js";

/**
 * A column's cells, "" where missing: those of numbers with the decimal sign of the file, which reading has made a point.
 * @returns numbers where the column holds them as such, for `csvText` to write.
 */
export function writtenCells(
  table: Table,
  name: string,
  { decimal = "." }: CsvDialect,
): (string | number)[] {
  const column = table.column(name);
  const signs = decimal !== "." && !isNumberColumn(column) && table.isNumeric(column);
  return Array.from({ length: table.rows }, (_, row) => {
    if (table.missing(column, row)) return "";
    const value = column.values[row]!;
    return signs ? String(value).replace(".", decimal) : value;
  });
}
