/**
 * Columns of numbers that are written with more than their digits (`$7`, `1,234.5`, `(12)`), which are read as text.
 * @module
 */
import type { Table } from "../../table/table.js";

/** Currency in front; digits, perhaps in groups of three; one unit behind. */
const MARKED =
  /^[+-]?([$€£¥]?) ?[+-]?(?:\d{1,3}(?:([,.' \u00a0\u202f])\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?) ?([^\d\s.,+-][^\d,]{0,7})?$/u;

/** A negative amount as bookkeepers write it: (1,234.50). */
const IN_BRACKETS = /^\(([$€£¥]? ?\d[^()]*)\)$/u;

/** Whether all texts are numbers with the same unit, with marks between thousands, or in brackets where they are negative. */
export function areMarkedNumbers(texts: Iterable<string>): boolean {
  const values = new Set(texts);
  const units = new Set<string>();
  let marked = false;
  for (const value of values) {
    const negative = IN_BRACKETS.exec(value)?.[1];
    const found = MARKED.exec(negative ?? value);
    if (!found) return false;
    const [, currency = "", thousands, unit = ""] = found;
    units.add(`${currency} ${unit.trim()}`);
    marked ||= [thousands, negative].some(Boolean) || currency !== "" || unit !== "";
  }
  return marked && units.size === 1 && values.size > 2;
}

/** Whether the values of a column of text that are there are. */
export function holdsMarkedNumbers(table: Table, name: string): boolean {
  if (table.isNumeric(table.column(name))) return false;
  return areMarkedNumbers(table.texts(name).filter((text) => text !== ""));
}
