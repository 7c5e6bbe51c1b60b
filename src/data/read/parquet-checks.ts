/**
 * What a Parquet file says of itself beside its values: counts, sizes, nulls and ranges. A damaged page whose codec has
 * no checksum is found by them, where the writer gave them.
 * @module
 */
import { checkTableSize } from "./limits.js";

/** What the reader's metadata has that is looked at; numbers come as bigint. */
export interface ParquetMetadata {
  readonly num_rows: bigint;
  readonly row_groups: readonly {
    readonly num_rows: bigint;
    readonly columns: readonly { readonly meta_data?: ChunkMetadata | undefined }[];
  }[];
}

/** Of one column's values in one row group. */
export interface ChunkMetadata {
  readonly path_in_schema: readonly string[];
  readonly num_values: bigint;
  readonly total_uncompressed_size: bigint;
  readonly statistics?: Statistics | undefined;
}

interface Statistics {
  readonly null_count?: bigint | undefined;
  readonly min_value?: unknown;
  readonly max_value?: unknown;
}

/** Bytes of a column's chunk once it is unpacked: writers make chunks of some MB. */
const MOST_CHUNK = 2n ** 31n;

/** A file that contradicts itself. */
export class ParquetDamage extends Error {}

function damaged(what: string): never {
  throw new ParquetDamage(what);
}

/**
 * Rows of the file, after looking at all counts and sizes that are allocated by.
 * @throws ParquetDamage, or DataError if the table is too large.
 */
export function checkCounts(name: string, metadata: ParquetMetadata, columns: number): number {
  const rows = Number(metadata.num_rows);
  if (!Number.isSafeInteger(rows) || rows < 0) damaged("its number of rows is impossible");
  checkTableSize(name, rows, columns);
  let counted = 0n;
  for (const group of metadata.row_groups) {
    if (group.num_rows < 0n) damaged("a group has less than no rows");
    counted += group.num_rows;
    for (const { meta_data: chunk } of group.columns) {
      if (!chunk) damaged("a column has no description");
      const { num_values: values, total_uncompressed_size: size, path_in_schema: path } = chunk;
      if (path.length === 1 && values !== group.num_rows)
        damaged("a column has another number of rows");
      if (size < 0n || size > MOST_CHUNK) damaged("the size of a column is impossible");
    }
  }
  if (counted !== metadata.num_rows) damaged("its groups have another number of rows");
  return rows;
}

/**
 * Holds a chunk's values to its statistics.
 * @throws ParquetDamage if there is a value that cannot be, more or fewer nulls, or one outside the range.
 */
export function checkValues(values: readonly unknown[], statistics: Statistics | undefined): void {
  let nulls = 0n;
  for (const value of values) {
    // A place in the dictionary that it does not have.
    if (value === undefined) damaged("a value is missing that is not null");
    if (value === null) nulls++;
    else if (typeof value === "string" && value.includes("\ufffd")) damaged("a text is not UTF-8");
  }
  const { null_count: stated, min_value: least, max_value: most } = statistics ?? {};
  if (stated !== undefined && stated !== nulls) damaged("a column has another number of nulls");
  const kinds = ["number", "bigint", "string"];
  const kind = typeof least;
  if (!kinds.includes(kind) || typeof most !== kind || kind === "string") return;
  const [low, high] = [least as number, most as number];
  for (const value of values) {
    if (typeof value !== kind || Number.isNaN(value)) continue;
    if ((value as number) < low || (value as number) > high) {
      damaged("a value is outside the range that its column states");
    }
  }
}
