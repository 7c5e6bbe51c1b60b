/**
 * Which rows of a table belong to which task.
 * @module
 */
import { DataError } from "../core/errors.js";
import type { Table } from "./table.js";

/** Rows of a table, task by task. */
export interface Groups {
  /** m task names, in order of first appearance. */
  readonly names: readonly string[];
  /** Uint32Array, shape [m + 1]: positions in `rows`. */
  readonly offsets: Uint32Array;
  /** Uint32Array, shape [N]: rows of the table; within a task in the table's order. */
  readonly rows: Uint32Array;
}

/**
 * Groups the rows by the value of one column; they need not be contiguous.
 * @param keep which rows take part; all by default.
 * @throws DataError if a task's name is missing in a row, or no row is kept.
 */
export function groupRows(table: Table, taskColumn: string, keep?: Uint8Array): Groups {
  const members = new Map<string, number[]>();
  table.texts(taskColumn).forEach((name, row) => {
    if (keep && keep[row] === 0) return;
    if (name === "") throw new DataError(`${table.place(row, taskColumn)}: the task is missing.`);
    const rows = members.get(name);
    if (rows) rows.push(row);
    else members.set(name, [row]);
  });
  if (members.size === 0) throw new DataError(`${table.name}: no row has a target.`);
  const offsets = new Uint32Array(members.size + 1);
  [...members.values()].forEach((rows, i) => (offsets[i + 1] = offsets[i]! + rows.length));
  return {
    names: [...members.keys()],
    offsets,
    rows: Uint32Array.from([...members.values()].flat()),
  };
}
