/**
 * Tables from the bytes of a file, whatever its format; works in Node and in browsers.
 * @module
 */
import { oneOf } from "../../core/checks.js";
import { DataError, OptionError } from "../../core/errors.js";
import { kindOf } from "../../core/messages/kind-of.js";
import { checkNames, namesOf } from "../../core/messages/known-names.js";
import type { Table } from "../table/table.js";
import { readCsv, type CsvOptions } from "./text/csv.js";
import { gunzip, gunzipPieces, isGzip } from "./bytes/gunzip.js";
import { readNpy } from "./npy.js";
import { readParquet } from "./parquet.js";
import { readSvmlight } from "./text/svmlight.js";
import { savedAsText } from "./bytes/workbook.js";

export { csvTables, readCsv, type CsvOptions } from "./text/csv.js";
export { readNpy } from "./npy.js";
export { readParquet } from "./parquet.js";
export { readSvmlight } from "./text/svmlight.js";

/** A format of table files. */
export type TableFormat = "csv" | "tsv" | "parquet" | "npy" | "svmlight";

const FORMATS: readonly TableFormat[] = ["csv", "tsv", "parquet", "npy", "svmlight"];
/** Other endings of sparse rows. */
const SPARSE = ["svm", "libsvm"];

/** The format that a file's name says, `.gz` aside; undefined if it says none. */
export function formatOf(name: string): TableFormat | undefined {
  const ending = /\.([^./\\]+)$/.exec(name.toLowerCase().replace(/\.gz$/, ""))?.[1];
  if (ending !== undefined && SPARSE.includes(ending)) return "svmlight";
  return FORMATS.find((format) => format === ending);
}

/** The whole of a file: its bytes, a browser's `File`, the body of a response. */
export type TableBytes = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

/** What a file is. */
export interface ReadTableOptions extends Pick<CsvOptions, "delimiter" | "decimal"> {
  readonly name: string;
  readonly format?: TableFormat | undefined;
}

const NAMES = namesOf<ReadTableOptions>({
  name: true,
  format: true,
  delimiter: true,
  decimal: true,
});

/** Whether there are delimiters and decimal signs to choose. */
export const isText = (format: TableFormat): boolean => format === "csv" || format === "tsv";

/** @throws OptionError for a delimiter or decimal sign where the format has none. */
export function requireText(
  name: string,
  format: TableFormat,
  options: Omit<ReadTableOptions, "name">,
): void {
  if (isText(format)) return;
  for (const option of ["delimiter", "decimal"] as const) {
    if (options[option] === undefined) continue;
    throw new OptionError(`${name}: ${format} has no ${option}, .csv and .tsv have; leave it out.`);
  }
}

/** @throws TypeError if it is none of them; a path is none. */
function requireBytes(source: unknown): void {
  const kinds = [Uint8Array, ArrayBuffer, Blob, ReadableStream];
  if (kinds.some((kind) => source instanceof kind)) return;
  throw new TypeError(
    `source: expected bytes, a Blob or a stream, got ${kindOf(source)}` +
      (typeof source === "string"
        ? "; in Node readTable of mp-mtl/node reads the file at a path"
        : ""),
  );
}

async function toBytes(source: TableBytes): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  return new Uint8Array(await new Response(source as BodyInit).arrayBuffer());
}

/**
 * Reads a table. Gzip is recognised by its first bytes and unpacked.
 *
 * @param source          the whole file.
 * @param options         what the file is.
 * @param options.name    file name: gives the format, and stands in messages.
 * @param options.format  where the name does not tell.
 * @param options.delimiter  between the cells of text; default "," and in .tsv a tab.
 * @param options.decimal    decimal sign of numbers in text; default ".".
 * @throws DataError if the name tells no format, or the content is not what it says; RangeError for a `format` or `decimal` that
 *         there is none of; OptionError for a `delimiter` or `decimal` of a format without; TypeError if the source is none of these.
 * @example const table = await readTable(input.files[0], { name: input.files[0].name });
 */
export async function readTable(source: TableBytes, options: ReadTableOptions): Promise<Table> {
  checkNames("readTable", options ?? {}, NAMES);
  requireBytes(source);
  const { name, delimiter, decimal } = (options ?? {}) as ReadTableOptions;
  if (typeof name !== "string") {
    throw new TypeError(
      `name: expected the name of the file, which tells its format ({ name: "rows.csv" }), got ${typeof name}`,
    );
  }
  if (options.format !== undefined) oneOf("format", options.format, FORMATS);
  const { format = formatOf(name) } = options;
  if (!format) {
    throw new DataError(
      `${name}: unknown format; expected a name that ends in ${FORMATS.map((f) => `.${f}`).join(", ")}, or these with .gz.` +
        savedAsText(name),
    );
  }
  requireText(name, format, options);
  const bytes = await toBytes(source);
  const packed = isGzip(bytes);
  if (format === "parquet" || format === "npy") {
    const content = packed ? await gunzip(bytes, name) : bytes;
    return format === "npy" ? readNpy(content, { name }) : readParquet(content, { name });
  }
  if (format === "svmlight") {
    return readSvmlight(packed ? gunzipPieces(bytes, name) : bytes, { name });
  }
  const usual = format === "tsv" ? "\t" : ",";
  return readCsv(packed ? gunzipPieces(bytes, name) : bytes, {
    name,
    delimiter: delimiter ?? usual,
    ...(decimal === undefined ? {} : { decimal }),
  });
}
