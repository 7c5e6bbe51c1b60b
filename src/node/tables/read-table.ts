/**
 * Reads tables from files.
 * @module
 */
import { text } from "../../core/checks.js";
import type { FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { DataError } from "../../core/errors.js";
import { checkNames, namesOf } from "../../core/messages/known-names.js";
import { isGzip } from "../../data/read/bytes/gunzip.js";
import {
  csvTables,
  formatOf,
  readTable as readTableBytes,
  requireText,
  type CsvOptions,
  type ReadTableOptions,
} from "../../data/read/index.js";
import type { Table } from "../../data/table/table.js";
import { tableStream, type Reading, type TableStream } from "../../data/table/table-stream.js";
import { openFile, readBytes, whyUnread } from "../files/read-bytes.js";
import { parquetGroupsApart } from "./read-parquet-groups.js";
import { refusePipe } from "./refuse-pipe.js";
import { readParquetApart } from "./read-parquet.js";

/** The file's name is its path's. */
const NAMES = namesOf<Omit<ReadTableOptions, "name">>({
  format: true,
  delimiter: true,
  decimal: true,
});

/**
 * Reads a table from a file: `.csv`, `.tsv`, `.parquet`, `.npy`; text also packed as `.gz`.
 * @param options.format  where the name does not tell.
 * @param options.delimiter of text; default "," (a tab in .tsv).
 * @param options.decimal   of text; default ".".
 * @throws DataError naming the file, and line and column where there is one; OptionError for a `delimiter` or `decimal` of a format
 *         without.
 */
export async function readTable(
  path: string,
  options: Omit<ReadTableOptions, "name"> = {},
): Promise<Table> {
  checkNames("readTable", options, NAMES);
  const name = basename(text("path", path));
  const format = options.format ?? formatOf(name);
  if (format === undefined) refusePipe(path);
  else requireText(name, format, options);
  const bytes = await readBytes(path);
  // What is packed a second time is unpacked and read here: nobody writes that.
  if (format === "parquet" && !isGzip(bytes)) return readParquetApart(bytes, name);
  return readTableBytes(bytes, { name, ...options });
}

/**
 * The rows of a `.csv`, `.tsv` or `.parquet` file in tables of about a megabyte, read as they are asked for, so that a file may
 * be larger than memory: for `momentsOfTables`. Text is held by the megabyte. Of Parquet a group of rows is held at a time, as
 * numbers, and the next one is read in a thread meanwhile: writers choose how large groups are.
 *
 * Options as for `readTable`: `format`, `delimiter` (default ",", a tab in .tsv), `decimal` (default ".").
 *
 * @throws DataError naming the file, and line and column where there is one; for a format that is not read in pieces.
 * @throws HostError if the packages that read Parquet are not installed.
 * @example const { tasks } = await momentsOfTables(readTables("rows.csv"), { task: "site", target: "y" });
 */
export function readTables(
  path: string,
  options: Omit<ReadTableOptions, "name"> = {},
): TableStream {
  checkNames("readTables", options, NAMES);
  const { format, delimiter, decimal } = options;
  const name = basename(text("path", path));
  const known = format ?? formatOf(name);
  if (known === undefined) refusePipe(path);
  else requireText(name, known, options);
  const packed = name.toLowerCase().endsWith(".gz");
  if (known === "parquet" && !packed) return tableStream((reading) => parquetTables(path, reading));
  if ((known !== "csv" && known !== "tsv") || packed) {
    throw new DataError(
      `${path}: only .csv, .tsv and .parquet are read in pieces, unpacked; expected one of these.`,
    );
  }
  const form = {
    name,
    delimiter: delimiter ?? (known === "tsv" ? "\t" : ","),
    ...(decimal === undefined ? {} : { decimal }),
  };
  return tableStream((reading) => textTables(path, form, reading));
}

async function* textTables(
  path: string,
  form: CsvOptions,
  reading: Reading,
): AsyncGenerator<Table> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    let read = 0;
    const pieces = piecesOf(file, path, (bytes) => (read += bytes));
    const tables = csvTables(pieces, form);
    for await (const table of tables) {
      reading.share = size > 0 ? Math.min(1, read / size) : 1;
      yield table;
      if (reading.use) tables.use?.(reading.use);
    }
  } finally {
    await file.close();
  }
}

async function* parquetTables(path: string, reading: Reading): AsyncGenerator<Table> {
  await (await openFile(path)).close();
  yield* parquetGroupsApart(path, reading);
}

/** Bytes read at once. */
const PIECE = 1 << 20;

async function* piecesOf(
  file: FileHandle,
  path: string,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const piece = new Uint8Array(PIECE);
    const { bytesRead } = await file.read(piece, 0, PIECE).catch((cause: unknown) => {
      throw new DataError(`${path}: ${whyUnread(cause)}.`, { cause });
    });
    if (bytesRead === 0) return;
    onRead(bytesRead);
    yield piece.subarray(0, bytesRead);
  }
}
