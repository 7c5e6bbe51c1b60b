/**
 * Records of comma-separated text in which no quote says anything and no cell has blanks around it, which need no parser: what
 * most files are.
 * @module
 */
import type { CsvPiece } from "./csv-pieces.js";
import { withoutPlainQuotes } from "./plain-quotes.js";

/** None of them is a blank. */
const DELIMITERS = [",", ";", "|"];

/** What a parser would take for more than text: other ends of lines. */
const MARKS = { "\n": /\r/, "\r\n": /\r(?!\n)|(?<!\r)\n/ } as const;

/** Blanks that it would trim: at an end of a cell. */
const blanks = (delimiter: string) => {
  const at = `\\x${delimiter.charCodeAt(0).toString(16).padStart(2, "0")}`;
  return new RegExp(`(?:^|${at})[^\\S\\r\\n]|[^\\S\\r\\n](?:${at}|\\r?$)`, "m");
};

/**
 * Hands out the records of a piece, each with its line.
 * @returns whether the piece was plain; nothing was handed out where it is not.
 */
export function plainRecords(
  { text: written, linesBefore, lineEnd }: CsvPiece,
  delimiter: string,
  take: (record: string[], line: number) => void,
): boolean {
  if (lineEnd !== "\n" && lineEnd !== "\r\n") return false;
  if (!DELIMITERS.includes(delimiter)) return false;
  const text = withoutPlainQuotes(written, delimiter);
  if (text === undefined) return false;
  if (MARKS[lineEnd].test(text) || blanks(delimiter).test(text)) return false;
  for (let line = linesBefore + 1, begin = 0; begin < text.length; line++) {
    const found = text.indexOf(lineEnd, begin);
    const end = found < 0 ? text.length : found;
    if (end > begin) take(text.slice(begin, end).split(delimiter), line);
    begin = end + lineEnd.length;
  }
  return true;
}
