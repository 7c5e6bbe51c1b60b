/**
 * A column of hexadecimal digits, one digit a feature: small grey images packed as text.
 * @module
 */
import { DataError } from "../../core/errors.js";
import type { Groups } from "../table/groups.js";
import { isNumberColumn, type Table } from "../table/table.js";

/** `digits` features from one column, each digit / 15. */
export interface HexDigitsEncoding {
  readonly kind: "hex-digits";
  readonly column: string;
  readonly digits: number;
}

function digitsOf(table: Table, column: string): readonly string[] {
  const found = table.column(column);
  if (!isNumberColumn(found)) return found.values;
  if (found.asWritten) return table.texts(column);
  throw new DataError(`column ${JSON.stringify(column)}: expected text, it holds numbers.`);
}

/** The number of digits is that of the first row; every other row must have as many. */
export function fitHexDigits(table: Table, column: string): HexDigitsEncoding {
  return { kind: "hex-digits", column, digits: digitsOf(table, column)[0]!.length };
}

/** `column[0]`, `column[1]`, … */
export function hexDigitNames({ column, digits }: HexDigitsEncoding): string[] {
  return Array.from({ length: digits }, (_, i) => `${column}[${i}]`);
}

/**
 * Writes digit / 15 into positions `at`, at + 1, … of each row of `out`, shape [N, d].
 * @throws DataError naming line and column of a cell that is not `digits` hexadecimal digits.
 */
export function encodeHexDigits(
  { column, digits }: HexDigitsEncoding,
  table: Table,
  groups: Groups,
  { out, d, at }: { out: Float64Array; d: number; at: number },
): void {
  const texts = digitsOf(table, column);
  groups.rows.forEach((row, to) => {
    const text = texts[row]!;
    if (text.length !== digits || !/^[0-9a-fA-F]+$/.test(text)) {
      throw new DataError(
        `${table.place(row, column)}: expected ${digits} hexadecimal digits, found other text.`,
      );
    }
    for (let i = 0; i < digits; i++) out[to * d + at + i] = parseInt(text[i]!, 16) / 15;
  });
}
