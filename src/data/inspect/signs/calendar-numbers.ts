/**
 * Columns of days that are written as one number each: 20260301 is 73 more than the day before.
 * @module
 */
import type { Table } from "../../table/table.js";

/** Fewer different numbers than this may be amounts that look so. */
const FEWEST_DAYS = 10;
const [FIRST_YEAR, LAST_YEAR] = [1800, 2199];
const LONGEST_MONTH = 31;
const MONTHS = 12;

function isDay(value: number): boolean {
  if (!Number.isInteger(value)) return false;
  const [year, month, day] = [
    Math.floor(value / 10_000),
    Math.floor(value / 100) % 100,
    value % 100,
  ];
  if (year < FIRST_YEAR || year > LAST_YEAR) return false;
  return month >= 1 && month <= MONTHS && day >= 1 && day <= LONGEST_MONTH;
}

/** Whether all numbers of a column are days as `20260301`, and ten or more of them differ: of as many amounts of that size one in 28 each looks so. */
export function holdsDayNumbers(table: Table, name: string): boolean {
  if (!table.isNumeric(table.column(name))) return false;
  const values = table.numbers(name).filter((value) => !Number.isNaN(value));
  return values.every(isDay) && new Set(values).size >= FEWEST_DAYS;
}
