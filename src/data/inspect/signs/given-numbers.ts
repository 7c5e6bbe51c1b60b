/**
 * Columns of numbers that are given out, as those of patients are, where rows share some: not every row has its own.
 * @module
 */
import { isNamedSo } from "./case-numbers.js";
import { isNumberColumn, type Table } from "../../table/table.js";

/** Fewer different numbers than this may be measured, whatever the header says. */
const FEWEST_GIVEN = 20;
/** Nobody measures such a number; days and months have two digits. */
const LEADING_ZERO = /^0\d{2,}$/;

/** Whether some cell has leading zeros, or the header names whole numbers so and many differ. */
export function holdsGivenNumbers(table: Table, name: string): boolean {
  const column = table.column(name);
  if (!table.isNumeric(column)) return false;
  if (!isNumberColumn(column) && column.values.some((cell) => LEADING_ZERO.test(cell))) return true;
  if (!isNamedSo(name)) return false;
  const values = table.numbers(name).filter((value) => !Number.isNaN(value));
  return values.every(Number.isSafeInteger) && new Set(values).size >= FEWEST_GIVEN;
}
