/**
 * Rows that are there twice, as after a file was appended to another a second time.
 * @module
 */
import { filledRows } from "../../table/blank-rows.js";
import type { Table } from "../../table/table.js";

/** Rows that are the same as an earlier one in every column; blank ones are none. */
export function repeatedRows(table: Table): number {
  const { columns, rows, sparse } = table;
  if (sparse) return 0; // what they hold besides would have to be compared, too
  let known = new Uint32Array(rows);
  // By column: rows that were alike so far and have the same value stay alike.
  for (const column of columns) {
    const next = new Map<number, Map<number | string, number>>();
    const alike = new Uint32Array(rows);
    let kinds = 0;
    for (let row = 0; row < rows; row++) {
      const value: number | string = column.values[row]!;
      let ofKind = next.get(known[row]!);
      if (!ofKind) next.set(known[row]!, (ofKind = new Map()));
      const kind = ofKind.get(value) ?? kinds++;
      ofKind.set(value, kind);
      alike[row] = kind;
    }
    if (kinds === rows) return 0;
    known = alike;
  }
  const filled = filledRows(table);
  const held = known.filter((_, row) => filled[row] === 1);
  return held.length - new Set(held).size;
}
