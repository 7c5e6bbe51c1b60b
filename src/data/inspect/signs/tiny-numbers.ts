/**
 * Columns of numbers so small that votes on their size do not find it: they end at 2^-14, six hundred-thousandths.
 * @module
 */
import type { Table } from "../../table/table.js";

const SMALLEST = 1e-4;

/** Whether a column of numbers holds something, and nothing larger than that. */
export function isTiny(table: Table, name: string): boolean {
  const column = table.column(name);
  if (!table.isNumeric(column)) return false;
  const values = table.numbers(name).filter((value) => !Number.isNaN(value));
  return values.some((value) => value !== 0) && values.every((value) => Math.abs(value) < SMALLEST);
}
