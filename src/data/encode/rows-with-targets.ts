/**
 * The rows from which a fit learns what columns hold: those that have a target.
 * @module
 */
import type { TableSchema } from "../schema/table-schema.js";
import type { Table } from "../table/table.js";

/**
 * A table without its rows that have no target, which no fit uses: empty ones that a spreadsheet left behind would else give every
 * category a column for gaps. The whole table where such rows are refused, so that the refusal names them, or where there are no others.
 */
export function rowsWithTargets(
  table: Table,
  { target, schema, missing = "refuse" }: Partial<TableSchema>,
): Table {
  const declared = schema?.target;
  const name = target ?? declared?.column;
  if (name === undefined || !table.has(name) || !table.hasGaps(name)) return table;
  const ofTarget = declared?.column === name ? declared.missing : undefined;
  if ((ofTarget ?? missing) === "refuse") return table;
  const column = table.column(name);
  const rows: number[] = [];
  for (let row = 0; row < table.rows; row++) if (!table.missing(column, row)) rows.push(row);
  return rows.length > 0 ? table.select(rows) : table;
}
