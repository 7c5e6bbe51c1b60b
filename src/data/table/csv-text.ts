/**
 * Comma-separated text of rows, in pieces.
 * @module
 */

import { parseNumber } from "./cells.js";

const PIECE = 1 << 16;

/** Quoted where a reader would otherwise take it apart (RFC 4180). */
function cell(value: string | number): string {
  if (typeof value === "number") return String(value); // shortest text that reads back exactly
  return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
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
): Generator<string> {
  let piece = `${header.map(cell).join(",")}\n`;
  for (const row of rows) {
    piece += `${row.map(cell).join(",")}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}
