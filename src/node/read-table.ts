/**
 * Reads tables from files.
 * @module
 */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { DataError } from "../core/errors.js";
import { isGzip } from "../data/read/gunzip.js";
import {
  formatOf,
  readTable as readTableBytes,
  type ReadTableOptions,
} from "../data/read/index.js";
import type { Table } from "../data/table.js";
import { readParquetApart } from "./read-parquet.js";

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "this is a directory, expected a file",
  EACCES: "permission to read it is denied",
  EPERM: "permission to read it is denied",
};

/**
 * The bytes of a file.
 * @throws DataError saying which file and why it cannot be read.
 */
export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "";
    throw new DataError(`${path}: ${REASONS[code] ?? `cannot be read (${code})`}.`, { cause });
  }
}

/**
 * Reads a table from a file: `.csv`, `.tsv`, `.parquet`, `.npy`; text also packed as `.gz`.
 * @param options.format  where the name does not tell.
 * @param options.delimiter, options.decimal  of text; default "," (a tab in .tsv) and ".".
 * @throws DataError naming the file, and line and column where there is one.
 */
export async function readTable(
  path: string,
  options: Omit<ReadTableOptions, "name"> = {},
): Promise<Table> {
  const bytes = await readBytes(path);
  const name = basename(path);
  const format = options.format ?? formatOf(name);
  // What is packed a second time is unpacked and read here: nobody writes that.
  if (format === "parquet" && !isGzip(bytes)) return readParquetApart(bytes, name);
  return readTableBytes(bytes, { name, ...options });
}
