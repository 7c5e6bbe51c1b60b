/**
 * Comma-separated text of rows, in pieces; or text as other programs write it.
 * @module
 */
import { parseNumber } from "./cells.js";

const PIECE = 1 << 16;

/** How text is written that is read with the same options. */
export interface CsvDialect {
  /** Between cells. Default ",". */
  readonly delimiter?: string;
  /** Decimal sign of numbers. Default "."; "," where the delimiter is another. */
  readonly decimal?: "." | ",";
}

/** Quoted where a reader would otherwise take it apart (RFC 4180). */
function cell(value: string | number, { delimiter = ",", decimal = "." }: CsvDialect): string {
  // The shortest text that reads back exactly.
  if (typeof value === "number") return String(value).replace(".", decimal);
  return value.includes(delimiter) || /["\r\n]|^\s|\s$/.test(value)
    ? `"${value.replaceAll('"', '""')}"`
    : value;
}

/** What spreadsheets take for the beginning of a formula, blanks and quotes before it and wide forms included. */
// eslint-disable-next-line no-control-regex -- spreadsheets pass over control characters
const FORMULA = /^(?:[\s"'\u0000-\u001f\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

/**
 * Text that no spreadsheet takes for a formula: what begins like one and is no number gets an apostrophe in
 * front. For files that people open; not for data to be read back.
 */
export function forSpreadsheets(text: string): string {
  return FORMULA.test(text) && parseNumber(text) === undefined ? `'${text}` : text;
}

/** A header line, then one line a row, handed out in pieces of some 64 KiB. */
export function* csvText(
  header: readonly string[],
  rows: Iterable<readonly (string | number)[]>,
  dialect: CsvDialect = {},
): Generator<string> {
  const line = (cells: readonly (string | number)[]) =>
    `${cells.map((one) => cell(one, dialect)).join(dialect.delimiter ?? ",")}\n`;
  let piece = line(header);
  for (const row of rows) {
    piece += line(row);
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}
