/**
 * That a table is given where one is expected.
 * @module
 */
import type { Table } from "./table.js";

/** @throws TypeError if the argument is none; a table of another copy of the library is one. */
export function requireTable(name: string, given: Table): void {
  const { columns, texts } = (given ?? {}) as Partial<Table>;
  if (Array.isArray(columns) && typeof texts === "function") return;
  const found = Array.isArray(given) ? "an array" : given === null ? "null" : typeof given;
  throw new TypeError(
    `${name}: expected a table, got ${found}; readTable reads one, tableFrom makes one of rows or columns`,
  );
}
