/**
 * Columns of numbers so large that their squares are none: a slip, or a unit that nobody meant.
 * @module
 */
import type { Table } from "../table/table.js";

/** Beyond it squares or their sums overflow. */
const LARGEST = 1e150;

/** Whether a column of numbers holds one whose square overflows. */
export function overflows(table: Table, name: string): boolean {
  const column = table.column(name);
  return table.isNumeric(column) && table.numbers(name).some((value) => Math.abs(value) > LARGEST);
}
