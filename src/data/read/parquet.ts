/**
 * Reads Parquet files with flat columns into a table.
 * @module
 */
import { DataError, HostError } from "../../core/errors.js";
import { columnOfValues } from "../table/column-of-values.js";
import { Table } from "../table/table.js";
import { readColumns } from "./parquet/columns.js";
import { ParquetDamage } from "./parquet/form/damage.js";

/**
 * Numbers, booleans (as 0 and 1) and text, which dates and times become; null is a missing value. Integers beyond 2^53 are
 * taken as text, so that identifiers stay exact.
 *
 * Every page is held to its sizes, its checksum and its column's dictionary before it is decoded, and what is read to
 * the counts, nulls and ranges that the file states. A damaged file may still
 * take long: `readTable` of `mp-mtl/node` reads in a thread with limits.
 *
 * @throws DataError if the bytes are no Parquet file, or a column holds anything else, or it contradicts itself;
 *         HostError if the file needs what the host does not let start.
 */
export async function readParquet(bytes: Uint8Array, { name }: { name: string }): Promise<Table> {
  let columns: Map<string, unknown[]>;
  try {
    columns = await readColumns(bytes, name);
  } catch (cause) {
    if (cause instanceof DataError || cause instanceof HostError) throw cause;
    const why = cause instanceof ParquetDamage ? ` (${cause.message})` : "";
    throw new DataError(`${name} is not a Parquet file that can be read, or it is damaged${why}.`, {
      cause,
    });
  }
  return new Table(
    [...columns].map(([column, values]) => columnOfValues(column, values, name)),
    { name },
  );
}
