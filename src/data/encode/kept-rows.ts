/**
 * Which rows of a table take part: not those whose target, or a value that leaves its row out, is missing, nor blank ones.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { dropsMissing } from "../columns/column-encoding.js";
import { filledRows } from "../table/blank-rows.js";
import type { Table } from "../table/table.js";
import type { TableEncodingState } from "../provenance/table-encoding-state.js";

/** Marks of the rows that take part, and how many do not. */
export interface KeptRows {
  readonly keep: Uint8Array;
  readonly dropped: number;
}

/**
 * Marks the rows that take part.
 * @param withTarget whether the table has targets, each of which must be there.
 * @throws DataError naming the first cell without a target, where such rows are refused.
 */
export function keptRows(
  { task, target, targetMissing, missing, columns }: TableEncodingState,
  table: Table,
  withTarget: boolean,
): KeptRows {
  const keep = new Uint8Array(table.rows).fill(1);
  const leaveOut = (name: string, refused: boolean) => {
    const column = table.column(name);
    for (let row = 0; row < table.rows; row++) {
      if (!table.missing(column, row)) continue;
      if (refused) {
        throw new DataError(
          `${table.place(row, target)}: the target is missing; leave the row out, or ask for missing: "impute" (--missing impute).`,
        );
      }
      keep[row] = 0;
    }
  };
  if (withTarget) leaveOut(target, (targetMissing ?? missing) === "refuse");
  // Nothing can be predicted for rows that hold nothing; where the table names no tasks, they have one all the same.
  else if (typeof task === "string")
    filledRows(table).forEach((filled, row) => (keep[row] = filled));
  for (const encoding of columns) if (dropsMissing(encoding)) leaveOut(encoding.column, false);
  let dropped = table.rows;
  for (const kept of keep) dropped -= kept;
  return { keep, dropped };
}
