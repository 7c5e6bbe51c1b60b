/**
 * What a Parquet file says of itself beside its values: counts, sizes, nulls and ranges. A damaged page whose codec has
 * no checksum is found by them, where the writer gave them.
 * @module
 */
import type { FileMetaData, Statistics } from "hyparquet";
import { damaged } from "./form/damage.js";

/** Bytes of a column's chunk once it is unpacked: writers make chunks of some MB. */
const MOST_CHUNK = 2n ** 31n;

/** The reader takes a field's type from the file too. */
function checkInteger(value: unknown): bigint {
  return typeof value === "bigint" ? value : damaged("a count is impossible");
}

/**
 * Rows of the file, after looking at all counts and sizes that are allocated by.
 * @throws ParquetDamage
 */
export function checkCounts(metadata: FileMetaData): number {
  const rows = Number(checkInteger(metadata.num_rows));
  if (!Number.isSafeInteger(rows) || rows < 0) damaged("its number of rows is impossible");
  let counted = 0n;
  for (const group of metadata.row_groups) {
    if (checkInteger(group.num_rows) < 0n) damaged("a group has less than no rows");
    counted += group.num_rows;
    for (const { meta_data: chunk, file_path: elsewhere } of group.columns) {
      if (!chunk) damaged("a column has no description");
      if (elsewhere !== undefined) damaged("a column is in another file");
      const { num_values: values, total_uncompressed_size: size, path_in_schema: path } = chunk;
      if (checkInteger(values) < 0n || (path.length === 1 && values !== group.num_rows))
        damaged("a column has another number of rows");
      if (checkInteger(size) < 0n || size > MOST_CHUNK)
        damaged("the size of a column is impossible");
    }
  }
  if (counted !== metadata.num_rows) damaged("its groups have another number of rows");
  return rows;
}

/**
 * Holds a chunk's values, those from `start` on, to its statistics.
 * @throws ParquetDamage if there are more or fewer nulls, or a value outside the range.
 */
export function checkValues(
  values: readonly unknown[],
  start: number,
  statistics: Statistics | undefined,
): void {
  const { null_count: stated, min_value: least, max_value: most } = statistics ?? {};
  if (stated !== undefined) {
    let nulls = 0n;
    for (let i = start; i < values.length; i++) if (values[i] === null) nulls++;
    if (stated !== nulls) damaged("a column has another number of nulls");
  }
  const kind = typeof least;
  if ((kind !== "number" && kind !== "bigint") || typeof most !== kind) return;
  const [low, high] = [least as number, most as number];
  for (let i = start; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== kind || Number.isNaN(value)) continue;
    if ((value as number) < low || (value as number) > high) {
      damaged("a value is outside the range that its column states");
    }
  }
}

/**
 * The same of a chunk whose values are numbers, of which `nulls` are missing.
 * @throws ParquetDamage as {@link checkValues} does.
 */
export function checkRange(
  values: Float64Array,
  nulls: number,
  statistics: Statistics | undefined,
): void {
  const { null_count: stated, min_value: least, max_value: most } = statistics ?? {};
  if (stated !== undefined && stated !== BigInt(nulls)) {
    damaged("a column has another number of nulls");
  }
  const kind = typeof least;
  if ((kind !== "number" && kind !== "bigint") || typeof most !== kind) return;
  const [low, high] = [Number(least), Number(most)];
  for (const value of values) {
    // What is missing is NaN, and compares as neither.
    if (value < low || value > high) {
      damaged("a value is outside the range that its column states");
    }
  }
}
