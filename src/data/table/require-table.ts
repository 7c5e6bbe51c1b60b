/**
 * That a table is given where one is expected.
 * @module
 */
import { kindOf } from "../../core/messages/kind-of.js";
import type { Table } from "./table.js";

/** @throws TypeError if the argument is none; a table of another copy of the library is one. */
export function requireTable(given: Table): void {
  const { columns, texts } = (given ?? {}) as Partial<Table>;
  if (Array.isArray(columns) && typeof texts === "function") return;
  throw new TypeError(
    `table: expected a table, got ${kindOf(given)}; readTable reads one, tableFrom makes one of rows or columns`,
  );
}
