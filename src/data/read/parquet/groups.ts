/**
 * Reads a Parquet file group by group, so that memory holds one.
 * @module
 */
import { DataError } from "../../../core/errors.js";
import type { Column } from "../../table/table.js";
import { checkTableSize } from "../bytes/limits.js";
import { flatChunks, readChunk, type ParquetFile } from "./file.js";
import { GrowingValues } from "./growing-values.js";

/** Columns of a group, in the order of the file. */
export interface GroupColumns {
  readonly columns: readonly Column[];
  readonly rows: number;
}

/** Bytes of a group as they lie in the file. */
export const packedSize = ({ groups }: ParquetFile, group: number): number =>
  groups[group]!.columns.reduce(
    (sum, { meta_data: chunk }) => sum + Number(chunk!.total_compressed_size),
    0,
  );

/**
 * The columns of a group; undefined if it has no rows.
 * @param name of the file, for errors.
 * @param options.only the columns to read; default all.
 * @param options.spare memory that may be used for columns of numbers, taken from the end.
 * @throws ParquetDamage, or what the reader throws; DataError if the group is too large, or a column that is read holds neither
 *   numbers, booleans nor text.
 */
export async function readGroup(
  file: ParquetFile,
  group: number,
  name: string,
  { only, spare = [] }: { only?: ReadonlySet<string> | undefined; spare?: ArrayBuffer[] } = {},
): Promise<GroupColumns | undefined> {
  const described = file.groups[group]!;
  const rows = Number(described.num_rows);
  const wanted = file.fields.filter((field) => only?.has(field.name) ?? true);
  checkTableSize(name, rows, wanted.length);
  const nested = wanted.find(({ flat }) => !flat);
  if (nested) {
    throw new DataError(
      `${name}, column ${JSON.stringify(nested.name)}: expected numbers, booleans or text, found bytes or nested ` +
        "values; convert the column.",
    );
  }
  if (rows === 0) return undefined;
  const columns: Column[] = [];
  for (const flat of flatChunks(file, described)) {
    if (only && !only.has(flat.name)) continue;
    const room = spare.at(-1);
    const fits = room && room.byteLength >= rows * Float64Array.BYTES_PER_ELEMENT;
    const values = new GrowingValues(rows, fits ? spare.pop() : undefined);
    await readChunk(file, flat, (page) => values.add(page));
    columns.push(values.finish(flat.name, flat.chunk.statistics, name));
  }
  return { columns, rows };
}
