/**
 * Rows in which every cell is missing, as spreadsheets leave them behind below a table.
 * @module
 */
import type { Table } from "./table.js";

/** One mark a row: 1 where some cell holds a value, 0 where none does. Rows with sparse features all do. */
export function filledRows(table: Table): Uint8Array {
  const { columns, rows, sparse } = table;
  const filled = new Uint8Array(rows).fill(sparse ? 1 : 0);
  if (sparse) return filled;
  for (const column of columns) {
    for (let row = 0; row < rows; row++) {
      if (filled[row] === 0 && !table.missing(column, row)) filled[row] = 1;
    }
  }
  return filled;
}

/** The table without its blank rows; itself where there is none, or nothing else. */
export function withoutBlankRows(table: Table): Table {
  const filled = filledRows(table);
  const rows = [...filled.keys()].filter((row) => filled[row] === 1);
  return rows.length === 0 || rows.length === table.rows ? table : table.select(rows);
}
