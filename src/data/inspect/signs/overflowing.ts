/**
 * Columns of numbers so large that their squares are none: a slip, or a unit that nobody meant.
 * @module
 */
import { LARGEST } from "../../../core/squarable.js";
import type { Table } from "../../table/table.js";

/** Whether a column of numbers holds one whose square overflows. */
export function overflows(table: Table, name: string): boolean {
  const column = table.column(name);
  return table.isNumeric(column) && table.numbers(name).some((value) => Math.abs(value) > LARGEST);
}
