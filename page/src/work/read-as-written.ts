/**
 * Reads the table of a file whose delimiter and decimal sign nobody says: a page has no flags for them.
 * @module
 */
import { DataError } from "../../../src/core/index.js";
import { formatOf, readTable, type Table } from "../../../src/data/index.js";
import { gunzip, isGzip } from "../../../src/data/read/bytes/gunzip.js";

/** Bytes that are looked at. */
const FIRST = 1 << 16;

const SIGN = "the decimal sign of numbers, found by looking at all tasks' rows";

/** A table, and in words what the way in which it was read took from its rows: a guarantee is to list it, whatever came out. */
export interface ReadTable {
  readonly table: Table;
  readonly decided: readonly string[];
}

/** @throws DataError as {@link readLooking}. */
export async function readAsWritten(file: ArrayBuffer, name: string): Promise<Table> {
  return (await readLooking(file, name)).table;
}

/** @throws DataError as the reader, and for sparse rows, of which the page shows nothing. */
export async function readLooking(file: ArrayBuffer, name: string): Promise<ReadTable> {
  const bytes = new Uint8Array(file);
  const format = formatOf(name);
  if (format === "svmlight") {
    throw new DataError(
      `${name} holds sparse rows, which this page does not show; mp-mtl fit on the command line takes them.`,
    );
  }
  if (format !== "csv" && format !== "tsv") {
    return { table: await readTable(bytes, { name }), decided: [] };
  }
  const unpacked = isGzip(bytes) ? await gunzip(bytes, name) : bytes;
  const text = new TextDecoder().decode(unpacked.subarray(0, FIRST));
  const written = format === "csv" ? writtenAs(text) : {};
  return {
    table: await readTable(unpacked, { name, ...written }),
    decided: written.decimal === undefined ? [] : [SIGN],
  };
}

/** By the header: what it has most of outside quotes, as semicolons in "Town; Street, No"; then decimal commas if some number has one. */
function writtenAs(text: string): { delimiter?: string; decimal?: "." | "," } {
  const header = /[^\r\n]+/.exec(text)?.[0] ?? "";
  const delimiter = delimiterOf(header);
  if (delimiter === ",") return {};
  const cell = new RegExp(`(?:^|[${delimiter}"])[+-]?\\d+,\\d+(?=[${delimiter}"\\r\\n]|$)`, "m");
  return { delimiter, decimal: cell.test(text) ? "," : "." };
}

function delimiterOf(header: string): string {
  const open = header.replaceAll(/"[^"]*"/g, "");
  const times = (sign: string) => open.split(sign).length;
  return [",", ";", "\t", "|"].reduce((most, sign) => (times(sign) > times(most) ? sign : most));
}
