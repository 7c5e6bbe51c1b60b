/**
 * Reads tables from files.
 * @module
 */
import { open, readFile, type FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { DataError } from "../core/errors.js";
import { isGzip } from "../data/read/gunzip.js";
import {
  csvTables,
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
    throw new DataError(`${path}: ${whyUnread(cause)}.`, { cause });
  }
}

/**
 * Reads a table from a file: `.csv`, `.tsv`, `.parquet`, `.npy`; text also packed as `.gz`.
 * @param options.format  where the name does not tell.
 * @param options.delimiter of text; default "," (a tab in .tsv).
 * @param options.decimal   of text; default ".".
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

/**
 * The rows of a `.csv` or `.tsv` file in tables of about a megabyte of text, read as they are asked for, so that a file may be
 * larger than memory: for `momentsOfTables`.
 *
 * Options as for `readTable`: `format`, `delimiter` (default ",", a tab in .tsv), `decimal` (default ".").
 *
 * @throws DataError naming the file, and line and column where there is one; for a format that is not read in pieces.
 * @example const { tasks } = await momentsOfTables(readTables("rows.csv"), { task: "site", target: "y" });
 */
export async function* readTables(
  path: string,
  { format, delimiter, decimal }: Omit<ReadTableOptions, "name"> = {},
): AsyncGenerator<Table> {
  const name = basename(path);
  const known = format ?? formatOf(name);
  if ((known !== "csv" && known !== "tsv") || name.toLowerCase().endsWith(".gz")) {
    throw new DataError(
      `${path}: only .csv and .tsv are read in pieces, unpacked; expected one of these.`,
    );
  }
  const file = await open(path).catch((cause: unknown) => {
    throw new DataError(`${path}: ${whyUnread(cause)}.`, { cause });
  });
  try {
    yield* csvTables(piecesOf(file, path), {
      ...{ name, delimiter: delimiter ?? (known === "tsv" ? "\t" : ",") },
      ...(decimal === undefined ? {} : { decimal }),
    });
  } finally {
    await file.close();
  }
}

/** Bytes read at once. */
const PIECE = 1 << 20;

async function* piecesOf(file: FileHandle, path: string): AsyncGenerator<Uint8Array> {
  for (;;) {
    const piece = new Uint8Array(PIECE);
    const { bytesRead } = await file.read(piece, 0, PIECE).catch((cause: unknown) => {
      throw new DataError(`${path}: ${whyUnread(cause)}.`, { cause });
    });
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
  }
}

function whyUnread(cause: unknown): string {
  const code = (cause as NodeJS.ErrnoException).code ?? "";
  return REASONS[code] ?? `cannot be read (${code})`;
}
