/**
 * Reads the columns of a Parquet file whose values are numbers, booleans or text.
 * @module
 */
import { checkTableSize } from "../bytes/limits.js";
import { checkValues } from "./checks.js";
import { flatChunks, inMemory, openParquet, readChunk } from "./file.js";

/** What stands for the values of a nested column, which is refused by name later. */
const NESTED = {};

/**
 * Values of every column, by its name; null is a missing value.
 * @param name of the file, for its errors.
 * @throws ParquetDamage if the file contradicts itself, or what the reader throws; DataError if the table is too large.
 */
export async function readColumns(
  bytes: Uint8Array,
  name: string,
): Promise<Map<string, unknown[]>> {
  const file = await openParquet(inMemory(bytes));
  checkTableSize(name, file.rows, file.fields.length);
  const columns = new Map<string, unknown[]>();
  for (const { name: column, flat } of file.fields) {
    columns.set(column, flat ? [] : new Array<unknown>(file.rows).fill(NESTED));
  }
  for (const group of file.groups) {
    for (const flat of flatChunks(file, group)) {
      const column = columns.get(flat.name)!;
      const start = column.length;
      await readChunk(file, flat, (values) => {
        for (const value of values) column.push(value);
      });
      checkValues(column, start, flat.chunk.statistics);
    }
  }
  return columns;
}
