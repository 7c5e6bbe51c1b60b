/**
 * Columns of assigned numbers, such as those of patients, where several rows may share one.
 * @module
 */
import { isNamedSo } from "./case-numbers.js";
import { isNumberColumn, type Table } from "../../table/table.js";

/** With fewer different numbers than this the column may be a measurement, whatever its header says. */
const FEWEST_GIVEN = 20;
/** Measured numbers have no leading zeros; days and months have two digits. */
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
