/**
 * Rows of columns that another thread has sent (`pack-columns.ts`); apart from it, since a start of the program pays for each file
 * that several scripts share.
 * @module
 */
import type { Column } from "../../data/table/table.js";
import type { PackedColumn } from "./pack-columns.js";

/** Rows from `from` up to `to` of what was sent, as a copy. */
export function unpackRows(columns: readonly PackedColumn[], from: number, to: number): Column[] {
  return columns.map(({ name, values, texts }): Column => {
    if (!texts) return { name, values: values.slice(from, to) as Float64Array };
    return { name, values: Array.from(values.subarray(from, to), (at) => texts[at]!) };
  });
}
