/**
 * Rows to predict, as callers have them, in one array.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { kindOf } from "../../core/messages/kind-of.js";
import { DataError } from "../../core/index.js";

/** number[][], or a Float64Array or Float32Array [n, d], row-major. */
export type DenseRows = Float64Array | Float32Array | readonly (readonly number[])[];

/** Rows of numbers as one array. @throws DataError naming the row, and the column of what is no number. */
export function flatRows(rows: DenseRows, d: number): Float64Array {
  if (rows instanceof Float64Array) return rows;
  if (rows instanceof Float32Array) return Float64Array.from(rows);
  refuseOthers(rows, d);
  const flat = new Float64Array(rows.length * d);
  rows.forEach((row, i) => {
    if (row.length !== d) {
      throw new DataError(`row ${i} has ${counted(row.length, "column")}, expected ${d}`);
    }
    for (let j = 0; j < d; j++) {
      const value: unknown = row[j];
      // A null would count as 0.
      if (typeof value !== "number") {
        throw new DataError(`row ${i}, column ${j}: expected a number, got ${kindOf(value)}`);
      }
      flat[i * d + j] = value;
    }
  });
  return flat;
}

/** @throws TypeError for what is no array of rows, a single row among it. */
function refuseOthers(rows: unknown, d: number): void {
  const single = Array.isArray(rows) && typeof rows[0] === "number";
  if (Array.isArray(rows) && !single) return;
  const found = single ? "an array of numbers; one row is [[…]]" : kindOf(rows);
  throw new TypeError(
    `rows: expected an array of rows, each an array of ${d} numbers, got ${found}`,
  );
}
