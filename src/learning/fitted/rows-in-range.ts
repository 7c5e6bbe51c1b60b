/**
 * Rows to predict whose numbers a model can compute with, and what is said of others.
 * @module
 */
import { areSquarable, isSquarable, tooLargeWords } from "../../core/squarable.js";
import { DataError } from "../../core/index.js";
import type { SparseRows } from "../../data/index.js";

/** @throws DataError naming the row (from 0), and the column of a number that is too large. */
export function requireRowsInRange(values: Float64Array, names: readonly string[]): void {
  if (areSquarable(values)) return;
  const d = names.length;
  const at = values.findIndex((value) => !isSquarable(value));
  refuse(values[at]!, Math.floor(at / d), names[at % d]!);
}

/** The same of sparse rows. */
export function requireSparseInRange(rows: SparseRows, names: readonly string[]): void {
  const { starts, columns, values } = rows;
  if (areSquarable(values)) return;
  const at = values.findIndex((value) => !isSquarable(value));
  refuse(values[at]!, starts.findIndex((start) => start > at) - 1, names[columns[at]!]!);
}

function refuse(value: number, row: number, column: string): never {
  if (!Number.isFinite(value)) throw new DataError(`row ${row}: an entry is not finite`);
  throw new DataError(`row ${row}, column ${JSON.stringify(column)}: ${tooLargeWords}`);
}

/** @throws DataError naming the row of the first of `k` outputs a row that is no number, though the row's numbers are. */
export function requireNumbers(outputs: Float64Array, k: number): void {
  const bad = outputs.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return;
  throw new DataError(
    `row ${Math.floor(bad / k)}: what the model makes of it is beyond all numbers; its numbers are far from those of the rows that the ` +
      "model was fitted on. Use their units",
  );
}
