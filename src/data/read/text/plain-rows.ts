/**
 * Rows of comma-separated text in which no quote says anything, straight to numbers: what most files are, several times as fast as
 * the general way. Whatever is not plainly read is left to that, which has the words for what is wrong.
 * @module
 */
import type { ColumnUse } from "../../table/table-stream.js";
import type { Column } from "../../table/table.js";
import type { CsvPiece } from "./csv-pieces.js";
import { PlainCursor } from "./plain-cursor.js";
import { withoutPlainQuotes } from "./plain-quotes.js";

/** The columns that are used, with the line of each row. */
export interface PlainRows {
  readonly columns: readonly Column[];
  readonly lines: Uint32Array;
}

/** Equal texts share one string, as long as there are no more different ones than this. */
const MOST_SHARED = 1 << 16;
const CARRIAGE_RETURN = 13;
/** None of them is part of a number. */
const SEPARATORS = [",", ";", "\t", "|"];

/** Texts of one file, each held once and without the piece that it was cut from. */
export class SharedTexts {
  readonly #known = new Map<string, string>();

  of(cell: string): string {
    const known = this.#known.get(cell);
    if (known !== undefined) return known;
    const own = ` ${cell}`.slice(1);
    if (this.#known.size < MOST_SHARED) this.#known.set(own, own);
    return own;
  }
}

/**
 * Whole rows of a piece, which does not begin with the header.
 * @param header names of all columns.
 * @returns undefined where quotes around a cell say something, where it has blanks around it, or is no number in a column of which numbers are asked for,
 *   where a row has another length than the header, and where lines end in different ways.
 */
export function plainRows(
  { text: written, lineEnd, linesBefore }: CsvPiece,
  header: readonly string[],
  delimiter: string,
  use: ColumnUse,
  shared: SharedTexts,
): PlainRows | undefined {
  if ((lineEnd !== "\n" && lineEnd !== "\r\n") || !SEPARATORS.includes(delimiter)) return undefined;
  const text = withoutPlainQuotes(written, delimiter);
  if (text === undefined) return undefined;
  const most = 1 + lineFeedsIn(text);
  const fills = header.map((name): Fill => {
    if (use.numbers.has(name)) return { numbers: new Float64Array(most), texts: null };
    return { numbers: null, texts: use.texts.has(name) ? [] : null };
  });
  const lines = new Uint32Array(most);
  const cursor = new PlainCursor(text, delimiter);
  let rows = 0;
  for (let line = linesBefore + 1, next = 0; next < text.length; line++) {
    const begin = next;
    const lineFeed = text.indexOf("\n", begin);
    const end = lineFeed < 0 ? text.length : lineFeed;
    next = end + 1;
    const carriage = lineEnd === "\r\n" && lineFeed >= 0;
    if (carriage && text.charCodeAt(end - 1) !== CARRIAGE_RETURN) return undefined;
    const stop = carriage ? end - 1 : end;
    if (stop === begin) continue;
    cursor.move(begin, stop);
    if (!readRow(cursor, fills, rows, shared)) return undefined;
    lines[rows++] = line;
  }
  const columns = header.flatMap((name, j): Column[] => {
    const { numbers, texts } = fills[j]!;
    const values = numbers ? numbers.subarray(0, rows) : texts;
    return values ? [{ name, values } as Column] : [];
  });
  return { columns, lines: lines.subarray(0, rows) };
}

/** Where a column's cells go: numbers, texts, or nowhere. */
interface Fill {
  readonly numbers: Float64Array | null;
  readonly texts: string[] | null;
}

/** Whether the line had a plain cell for every column and no more. */
function readRow(
  cursor: PlainCursor,
  fills: readonly Fill[],
  row: number,
  shared: SharedTexts,
): boolean {
  const last = fills.length - 1;
  for (let column = 0; column <= last; column++) {
    const { numbers, texts } = fills[column]!;
    if (numbers !== null) {
      const value = cursor.number();
      if (value === undefined) return false;
      numbers[row] = value;
    } else if (texts !== null) {
      const cell = cursor.text();
      if (cell !== cell.trim()) return false;
      texts.push(shared.of(cell));
    } else cursor.skip();
    // Before each cell but the last one there is another.
    if (column < last && !cursor.passSeparator()) return false;
  }
  return cursor.isAtEnd();
}

function lineFeedsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
