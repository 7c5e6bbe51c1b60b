/**
 * How large a file may be: looked at before memory is taken.
 * @module
 */
import { DataError } from "../../../core/errors.js";

/** Columns of a table: a fit of as many features is beyond every method. */
export const MOST_COLUMNS = 1_000_000;
/** Cells of a table: 4 GiB of numbers, which is what WebAssembly has. */
export const MOST_CELLS = 2 ** 29;
/** Bytes of a file once it is unpacked. */
export const MOST_BYTES = 2 ** 34;

/** @throws DataError if a table of this size cannot be read. */
export function checkTableSize(name: string, rows: number, columns: number): void {
  if (columns > MOST_COLUMNS) {
    throw new DataError(`${name} has ${columns} columns; at most ${MOST_COLUMNS} are read.`);
  }
  if (rows * columns > MOST_CELLS) {
    throw new DataError(
      `${name} has more than ${MOST_CELLS} cells, which do not fit into memory; take fewer rows or columns.`,
    );
  }
}
