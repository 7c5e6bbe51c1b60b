/**
 * Reads comma-separated text (RFC 4180) with a header line into a table.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { isMissing, parseNumber } from "../cells.js";
import { Table } from "../table.js";
import { pointsForCommas } from "./decimal-comma.js";

/** What the parser's own error codes mean; its messages quote the data, so they are not shown. */
const PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "a quoted cell is never closed",
  INVALID_OPENING_QUOTE: "a quote stands inside a cell that does not begin with one",
  CSV_INVALID_CLOSING_QUOTE: "text follows the closing quote of a cell",
};

const ROW_NAMES =
  " If the first cells are the names of rows, as R writes them, write the table with col.names = NA or without them.";

/** Options of {@link readCsv}. */
export interface CsvOptions {
  /** For messages. Default "table". */
  name?: string;
  /** Between cells. Default ",". */
  delimiter?: string;
  /** Decimal sign of numbers. Default "."; "," where the delimiter is another. */
  decimal?: "." | ",";
}

/**
 * Cells are trimmed; empty lines are passed over; a leading byte order mark is ignored. A first column
 * without a name is R's or pandas' index of the rows: it is called "(row)" and is the table's `index`.
 *
 * @param input  text, or its bytes in UTF-8.
 * @throws DataError naming the line: rows of another length than the header, broken quotes, no
 *         header, a column without a name or with the name of another, no rows.
 */
export async function readCsv(
  input: string | Uint8Array,
  { name = "table", delimiter = ",", decimal = "." }: CsvOptions = {},
): Promise<Table> {
  if (decimal === delimiter) {
    throw new DataError(
      `${name}: the decimal sign is also what stands between cells: give --delimiter too.`,
    );
  }
  // This build has no Node built-ins, so it is the same one in a browser.
  const { parse } = await import("csv-parse/browser/esm/sync");
  const text = typeof input === "string" ? input : decode(input, name);
  checkDelimiter(text, name, delimiter);
  const lines: number[] = [];
  let records: string[][];
  try {
    records = parse(text, {
      bom: true,
      delimiter,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true, // counted below, to say so in our words
      on_record: (record: string[], { lines: line }: { lines: number }) => {
        lines.push(line);
        return record;
      },
    });
  } catch (cause) {
    const { code = "", lines: line } = cause as { code?: string; lines?: number };
    const what = PROBLEMS[code] ?? "this is not comma-separated text";
    throw new DataError(`${name}${line === undefined ? "" : `, line ${line}`}: ${what}.`);
  }
  const [header, ...rows] = records;
  if (!header) throw new DataError(`${name} is empty; expected a header line and rows.`);
  checkHeader(header, name);
  const index = header[0] === "" ? nameOfIndex(header) : undefined;
  const names = index === undefined ? header : [index, ...header.slice(1)];
  rows.forEach((row, i) => {
    if (row.length === header.length) return;
    throw new DataError(
      `${name}, line ${lines[i + 1]} has ${row.length} cells, the header has ${header.length}.` +
        (rows.every(({ length }) => length === header.length + 1) ? ROW_NAMES : ""),
    );
  });
  const table = new Table(
    names.map((column, j) => ({ name: column, values: rows.map((row) => row[j]!) })),
    { name, lines: Uint32Array.from(lines.slice(1)), index, doubtfulHeader: header.some(isData) },
  );
  return decimal === "," ? pointsForCommas(table) : table;
}

/** What no one calls a column: a number, or a word for a missing value. */
const isData = (cell: string, at: number) =>
  parseNumber(cell) !== undefined || (isMissing(cell) && (at > 0 || cell !== ""));

function nameOfIndex(header: readonly string[]): string {
  let name = "(row)";
  while (header.includes(name)) name += "'";
  return name;
}

/** By the first line, before another delimiter makes nonsense of quotes. */
function checkDelimiter(text: string, name: string, delimiter: string): void {
  const first = /[^\r\n]+/.exec(text)?.[0] ?? "";
  if (first.includes(delimiter)) return;
  const other = /[;\t,|]/.exec(first)?.[0];
  if (other === undefined) return;
  throw new DataError(
    `${name}: expected ${JSON.stringify(delimiter)} between cells; the header seems to have ` +
      `${JSON.stringify(other)} there: read it with ${remedy(other)}.`,
  );
}

function checkHeader(header: readonly string[], name: string): void {
  const at = header.indexOf("", 1);
  if (at >= 0) throw new DataError(`${name}: column ${at + 1} of the header has no name.`);
}

function remedy(delimiter: string): string {
  if (delimiter === ";")
    return '--delimiter ";", and --decimal "," if its numbers have decimal commas';
  return delimiter === "\t" ? "--delimiter tab" : `--delimiter "${delimiter}"`;
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new DataError(`${name} is not UTF-8 text.`);
  }
}
