/**
 * Reads comma-separated text (RFC 4180) with a header line into a table.
 * @module
 */
import { oneOf, text } from "../../../core/checks.js";
import { DataError } from "../../../core/errors.js";
import { checkNames, namesOf } from "../../../core/messages/known-names.js";
import { Table } from "../../table/table.js";
import { tableStream, type Reading, type TableStream } from "../../table/table-stream.js";
import { pointsForCommas } from "../../table/decimal-comma.js";
import { problemOf } from "./broken-quotes.js";
import { CsvRows } from "./csv-rows.js";
import { csvPieces, type CsvInput, type CsvPiece } from "./csv-pieces.js";
import { checkFirstLine, otherDelimiter } from "./first-line.js";
import { plainRecords } from "./plain-records.js";
import { plainRows, SharedTexts } from "./plain-rows.js";

export type { CsvInput } from "./csv-pieces.js";

/** Options of {@link readCsv}. */
export interface CsvOptions {
  /** For messages. Default "table". */
  name?: string;
  /** Between cells. Default ",". */
  delimiter?: string;
  /** Decimal sign of numbers. Default "."; "," where the delimiter is another. */
  decimal?: "." | ",";
}

const NAMES = namesOf<CsvOptions>({ name: true, delimiter: true, decimal: true });

/**
 * Cells are trimmed; empty lines are passed over; a leading byte order mark is ignored. A first column
 * without a name is R's or pandas' index of the rows: it is called "(row)" and is the table's `index`. Any other column without a
 * name, as a delimiter at the end of every line makes one, is left out; nothing may stand in it.
 * The text is read in pieces, so memory holds the table, not the file: 8 bytes a cell where a column's numbers are
 * written as JavaScript writes them, the text elsewhere.
 *
 * @param input  text, or its bytes in UTF-8, whole or in pieces.
 * @throws DataError naming the line: rows of another length than the header, broken quotes, no
 *         header, a value in a column without a name, two columns of one name, no rows, more than 2^29 cells; TypeError or
 *         RangeError for a delimiter that is empty or no text, or another decimal sign.
 */
export async function readCsv(input: CsvInput, options: CsvOptions = {}): Promise<Table> {
  checkNames("readCsv", options, NAMES);
  const { name = "table", delimiter = ",", decimal = "." } = options;
  checkSigns(name, delimiter, decimal);
  const rows = new CsvRows(name, decimal === ".", delimiter);
  const take: Take = (record, line) => rows.take(record, line);
  for await (const piece of csvPieces(input, name)) {
    if (!takePlain(piece, name, delimiter, take)) (await parser(name, delimiter))(piece, take);
  }
  const table = rows.finish();
  return decimal === "," ? pointsForCommas(table) : table;
}

/**
 * The same in tables of about a megabyte of text, one after the other: memory holds one of them. Whether a column is of numbers
 * is decided for each. Once it is told what is used of them (`momentsOfTables` does), rows are read several times as fast.
 * @throws DataError as {@link readCsv} does, when it comes to it.
 */
export function csvTables(input: CsvInput, options: CsvOptions = {}): TableStream {
  checkNames("csvTables", options, NAMES);
  // How long the text is nobody has said.
  const { share: _share, ...stream } = tableStream((reading) => tablesOf(input, options, reading));
  return stream;
}

async function* tablesOf(
  input: CsvInput,
  { name = "table", delimiter = ",", decimal = "." }: CsvOptions,
  reading: Reading,
): AsyncGenerator<Table> {
  checkSigns(name, delimiter, decimal);
  const finish = (rows: CsvRows) => {
    const table = rows.finish();
    return decimal === "," ? pointsForCommas(table) : table;
  };
  const shared = new SharedTexts();
  let rows = new CsvRows(name, decimal === ".", delimiter);
  let tables = 0;
  const take: Take = (record, line) => rows.take(record, line);
  for await (const piece of csvPieces(input, name)) {
    const { use } = reading;
    const { header } = rows;
    const isPlain = decimal === "." && header?.includes("") === false;
    const plain = use && header && isPlain && plainRows(piece, header, delimiter, use, shared);
    if (plain) {
      if (plain.lines.length > 0) yield new Table(plain.columns, { name, lines: plain.lines });
      continue;
    }
    if (!takePlain(piece, name, delimiter, take)) (await parser(name, delimiter))(piece, take);
    if (rows.count === 0) continue;
    tables++;
    yield finish(rows);
    rows = rows.next();
  }
  // Of an empty file, or a header alone: what readCsv says of it.
  if (tables === 0) yield finish(rows);
}

function checkSigns(name: string, delimiter: string, decimal: string): void {
  if (text("delimiter", delimiter) === "") {
    throw new RangeError("delimiter: expected a text, got an empty one");
  }
  if (decimal === delimiter) {
    throw new DataError(
      `${name}: the decimal sign is also what stands between cells: give --delimiter too.`,
    );
  }
  oneOf("decimal", decimal, [".", ","]);
}

/** Takes a record, with the line it ends on. */
type Take = (record: string[], line: number) => void;

/** Hands the records of a piece out where that needs no parser. */
function takePlain(piece: CsvPiece, name: string, delimiter: string, take: Take): boolean {
  if (piece.linesBefore === 0) checkFirstLine(piece.text, name, delimiter);
  return plainRecords(piece, delimiter, take);
}

/** What hands out those of any. */
async function parser(name: string, delimiter: string) {
  // This build has no Node built-ins, so it is the same one in a browser. Loaded where it is needed, which it mostly is not.
  const { parse } = await import("csv-parse/browser/esm/sync");
  return (piece: CsvPiece, take: Take): void => {
    const { text, linesBefore, lineEnd } = piece;
    // The parser counts an end of two characters inside quotes as two lines.
    const countsTwice = lineEnd === "\r\n" && text.includes('"');
    let twice = 0;
    try {
      parse(text, {
        delimiter,
        record_delimiter: lineEnd,
        trim: true,
        skip_empty_lines: true,
        relax_column_count: true, // counted by whoever takes them, to say so in our words
        on_record: (record: string[], { lines }: { lines: number }) => {
          if (countsTwice) for (const cell of record) twice += cell.split(lineEnd).length - 1;
          take(record, linesBefore + lines - twice);
          return null; // not kept by the parser
        },
      });
    } catch (cause) {
      if (cause instanceof DataError) throw cause;
      const { code = "", lines } = cause as { code?: string; lines?: number };
      const line = lines === undefined ? undefined : linesBefore + lines - twice;
      const problem = problemOf({ code, line }, { text, delimiter, linesBefore, lineEnd });
      const header = linesBefore === 0 ? text.slice(0, Math.max(0, text.indexOf(lineEnd))) : "";
      throw new DataError(`${name}${problem}${otherDelimiter(header, delimiter)}`);
    }
  };
}
