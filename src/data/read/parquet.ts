/**
 * Reads Parquet files with flat columns into a table.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { loadOptional } from "../../core/optional-packages.js";
import { Table, type Column } from "../table.js";

/**
 * Numbers, booleans (as 0 and 1) and text; null is a missing value. Integers beyond 2^53 are taken
 * as text, so that identifiers stay exact.
 *
 * @throws HostError if the optional packages hyparquet and hyparquet-compressors are not installed.
 * @throws DataError if the bytes are no Parquet file, or a column holds anything else.
 */
export async function readParquet(bytes: Uint8Array, { name }: { name: string }): Promise<Table> {
  const [{ parquetMetadata, parquetRead, parquetSchema }, { compressors }] = await loadOptional(
    () => Promise.all([import("hyparquet"), import("hyparquet-compressors")]),
  );
  const file = new Uint8Array(bytes).buffer;
  const columns = new Map<string, unknown[]>();
  try {
    const metadata = parquetMetadata(file);
    const rows = Number(metadata.num_rows);
    for (const { element, children } of parquetSchema(metadata).children) {
      // A nested column keeps a mark, so that it is refused by name below.
      const empty = children.length > 0 ? {} : null;
      columns.set(element.name, new Array<unknown>(rows).fill(empty));
    }
    await parquetRead({
      file,
      metadata,
      compressors,
      onChunk: ({ columnName, columnData, rowStart }) => {
        const values = columns.get(columnName);
        if (!values) return;
        for (let i = 0; i < columnData.length; i++) values[rowStart + i] = columnData[i];
      },
    });
  } catch (cause) {
    throw new DataError(`${name} is not a Parquet file that can be read, or it is damaged.`, {
      cause,
    });
  }
  return new Table(
    [...columns].map(([column, values]) => toColumn(column, values, name)),
    { name },
  );
}

function toColumn(name: string, values: readonly unknown[], file: string): Column {
  const kinds = new Set(values.map((value) => (value == null ? "missing" : typeof value)));
  kinds.delete("missing");
  const odd = [...kinds].find((kind) => !["number", "bigint", "boolean", "string"].includes(kind));
  if (odd || (kinds.has("string") && kinds.size > 1)) {
    throw new DataError(
      `${file}, column ${JSON.stringify(name)}: expected numbers, booleans or text, found ` +
        `${odd ? "dates, bytes or nested values" : "a mixture"}; convert the column.`,
    );
  }
  const exact = values.every(
    (value) => typeof value !== "bigint" || Number.isSafeInteger(Number(value)),
  );
  if (kinds.has("string") || !exact) {
    return {
      name,
      values: values.map((value) => (value == null ? "" : String(value as string | bigint).trim())),
    };
  }
  return { name, values: Float64Array.from(values, (v) => (v == null ? NaN : Number(v))) };
}
