/**
 * Columns of which every cell is missing.
 * @module
 */
import type { Table } from "../../table/table.js";

/** Whether no row has a value of a column. */
export const isEmpty = (table: Table, name: string): boolean =>
  table.texts(name).every((text) => text === "");
