/**
 * Room for the vectors of one task with sparse rows after the other: an array for each would cost as much as the products.
 * @module
 */
import type { CompactRows } from "./compact-rows.js";

/** As much as the largest task of a batch needs, of its rows and of the columns that it uses. */
export interface RowRoom {
  readonly rows: Float64Array;
  readonly weighted: Float64Array;
  readonly slopes: Float64Array;
  readonly centred: Float64Array;
  readonly gathered: Float64Array;
  readonly columns: Float64Array;
  readonly before: Float64Array;
}

/** @param tasks rows of each. */
export function rowRoom(tasks: readonly CompactRows[]): RowRoom {
  const n = tasks.reduce((most, rows) => Math.max(most, rows.n), 0);
  const k = tasks.reduce((most, rows) => Math.max(most, rows.k), 0);
  return {
    rows: new Float64Array(n),
    weighted: new Float64Array(n),
    slopes: new Float64Array(n),
    centred: new Float64Array(n),
    gathered: new Float64Array(k),
    columns: new Float64Array(k),
    before: new Float64Array(k),
  };
}
