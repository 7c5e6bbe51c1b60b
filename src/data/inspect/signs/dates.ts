/**
 * Columns of dates, which as categories would tell of no day but those that occur.
 * @module
 */
import type { Table } from "../../table/table.js";

/** `2026-03-01`, perhaps with a time behind it; `1.3.26`, `01/03/2026`. */
const DATE =
  /^(?:\d{4}([-/.])\d{1,2}\1\d{1,2}(?:[T ]\d.*)?|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})(?: \d.*)?)$/;

/** Whether all texts are dates; false of none. */
export const areDates = (texts: readonly string[]): boolean =>
  texts.length > 0 && texts.every((text) => DATE.test(text));

/** Whether every value of a column that is there is written as a date. */
export function holdsDates(table: Table, name: string): boolean {
  if (table.isNumeric(table.column(name))) return false;
  return areDates(table.texts(name).filter((text) => text !== ""));
}
