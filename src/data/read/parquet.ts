/**
 * Reads Parquet files with flat columns into a table.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { columnOfValues } from "../column-of-values.js";
import { Table } from "../table.js";
import { checkCounts, checkValues, ParquetDamage, type ParquetMetadata } from "./parquet-checks.js";

/**
 * Numbers, booleans (as 0 and 1) and text; null is a missing value. Integers beyond 2^53 are taken
 * as text, so that identifiers stay exact.
 *
 * Counts, sizes, numbers of nulls and ranges that the file states are held to what is read. A damaged file may still
 * take long: `readTable` of `mp-mtl/node` reads in a thread with limits.
 *
 * @throws DataError if the bytes are no Parquet file, or a column holds anything else, or it contradicts itself.
 */
export async function readParquet(bytes: Uint8Array, { name }: { name: string }): Promise<Table> {
  const { parquetMetadata, parquetRead, parquetSchema } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  const file = new Uint8Array(bytes).buffer;
  const columns = new Map<string, unknown[]>();
  try {
    const metadata = parquetMetadata(file);
    const { children: fields } = parquetSchema(metadata);
    const rows = checkCounts(name, metadata as unknown as ParquetMetadata, fields.length);
    for (const { element, children } of fields) {
      // A nested column keeps a mark, so that it is refused by name below.
      const empty = children.length > 0 ? {} : undefined;
      columns.set(element.name, new Array<unknown>(rows).fill(empty));
    }
    if (columns.size !== fields.length) throw new ParquetDamage("two columns have one name");
    await parquetRead({
      file,
      metadata,
      compressors: bounded(compressors as Compressors),
      onChunk: ({ columnName, columnData, rowStart }) => {
        const values = columns.get(columnName);
        if (!values || rowStart + columnData.length > values.length) {
          throw new ParquetDamage("it has more values than rows");
        }
        for (let i = 0; i < columnData.length; i++) values[rowStart + i] = columnData[i];
      },
    });
    checkChunks(metadata as unknown as ParquetMetadata, columns);
  } catch (cause) {
    if (cause instanceof DataError) throw cause;
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

type Compressors = Record<string, (input: Uint8Array, outputLength: number) => Uint8Array>;

/** Largest page: writers make them of one MB. */
const MOST_PAGE = 2 ** 30;

/** The codecs, held to the length that a page states before and after. */
function bounded(compressors: Compressors): Compressors {
  return Object.fromEntries(
    Object.entries(compressors).map(([codec, unpack]) => [
      codec,
      (input: Uint8Array, length: number) => {
        if (!(length >= 0 && length <= MOST_PAGE))
          throw new ParquetDamage("a page's size is impossible");
        const output = unpack(input, length);
        if (output.length !== length)
          throw new ParquetDamage("a page has another size than it states");
        return output;
      },
    ]),
  );
}

/** Every flat column's values, group by group, against what the file states of them. */
function checkChunks(
  { row_groups: groups }: ParquetMetadata,
  columns: Map<string, unknown[]>,
): void {
  let start = 0;
  for (const { num_rows: rows, columns: chunks } of groups) {
    const end = start + Number(rows);
    for (const { meta_data: chunk } of chunks) {
      const { path_in_schema: path, statistics } = chunk!;
      if (path.length !== 1) continue;
      checkValues(columns.get(path[0]!)!.slice(start, end), statistics);
    }
    start = end;
  }
}
