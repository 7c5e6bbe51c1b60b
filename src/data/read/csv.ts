/**
 * Reads comma-separated text (RFC 4180) with a header line into a table.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { Table } from "../table.js";

/** What the parser's own error codes mean; its messages quote the data, so they are not shown. */
const PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "a quoted cell is never closed",
  INVALID_OPENING_QUOTE: "a quote stands inside a cell that does not begin with one",
  CSV_INVALID_CLOSING_QUOTE: "text follows the closing quote of a cell",
};

/** Options of {@link readCsv}. */
export interface CsvOptions {
  /** For messages. Default "table". */
  name?: string;
  /** Between cells. Default ",". */
  delimiter?: string;
}

/**
 * Cells are trimmed; empty lines are passed over; a leading byte order mark is ignored.
 *
 * @param input  text, or its bytes in UTF-8.
 * @throws DataError naming the line: rows of another length than the header, broken quotes, no
 *         header, a column without a name or with the name of another, no rows.
 */
export async function readCsv(
  input: string | Uint8Array,
  { name = "table", delimiter = "," }: CsvOptions = {},
): Promise<Table> {
  // This build has no Node built-ins, so it is the same one in a browser.
  const { parse } = await import("csv-parse/browser/esm/sync");
  const text = typeof input === "string" ? input : decode(input, name);
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
  checkHeader(header, name, delimiter);
  rows.forEach((row, i) => {
    if (row.length === header.length) return;
    throw new DataError(
      `${name}, line ${lines[i + 1]} has ${row.length} cells, the header has ${header.length}.`,
    );
  });
  return new Table(
    header.map((column, j) => ({ name: column, values: rows.map((row) => row[j]!) })),
    { name, lines: Uint32Array.from(lines.slice(1)) },
  );
}

function checkHeader(header: readonly string[], name: string, delimiter: string): void {
  const other = /[;\t,|]/.exec(header.length === 1 ? header[0]! : "")?.[0];
  if (other !== undefined) {
    throw new DataError(
      `${name}: expected ${JSON.stringify(delimiter)} between cells; the header seems to have ` +
        `${JSON.stringify(other)} there. Write it with commas, or with tabs as .tsv.`,
    );
  }
  const at = header.indexOf("");
  if (at >= 0) throw new DataError(`${name}: column ${at + 1} of the header has no name.`);
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new DataError(`${name} is not UTF-8 text.`);
  }
}
