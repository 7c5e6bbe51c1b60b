/**
 * Which rows of a table belong to which task.
 * @module
 */
import { DataError } from "../../core/errors.js";
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

/** The column that names each row's task; or the name of the one task that all rows belong to. */
export type TaskSource = string | { readonly name: string };

/**
 * Groups the rows by the value of one column; they need not be contiguous.
 * @param keep which rows take part; all by default.
 * @throws DataError if a task's name is missing in a row, or no row is kept.
 */
export function groupRows(table: Table, task: TaskSource, keep?: Uint8Array): Groups {
  const members = new Map<string, number[]>();
  const names =
    typeof task === "string" ? table.texts(task) : new Array<string>(table.rows).fill(task.name);
  names.forEach((name, row) => {
    if (keep && keep[row] === 0) return;
    if (name === "") {
      const place = typeof task === "string" ? table.place(row, task) : table.name;
      const whose = typeof task === "string" ? "row it is, or remove the row" : "rows these are";
      throw new DataError(`${place}: the task is missing; name whose ${whose}.`);
    }
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
