/**
 * What the first line of a file of cells tells: how it is written, before another delimiter makes nonsense of quotes.
 * @module
 */
import { DataError } from "../../../core/errors.js";

/** What spreadsheets write before the header for each other. */
const NOTE = /^"?sep=(.)"?$/i;

/** @throws DataError if the line is a note on the delimiter, or the header of a file with another one. */
export function checkFirstLine(text: string, name: string, delimiter: string): void {
  const first = /[^\r\n]+/.exec(text)?.[0] ?? "";
  const note = NOTE.exec(first)?.[1];
  if (note !== undefined) {
    throw new DataError(
      `${name}: the first line is a spreadsheet's note on what stands between cells; remove it, so that the header comes first` +
        (note === delimiter ? "." : `, and read the file with ${remedy(note)}.`),
    );
  }
  if (first.includes(delimiter)) return;
  const other = /[;\t,|]/.exec(first)?.[0];
  if (other === undefined) return;
  throw new DataError(
    `${name}: expected ${JSON.stringify(delimiter)} between cells; the header seems to have ` +
      `${JSON.stringify(other)} there: read it with ${remedy(other)}.`,
  );
}

/** Of a file that could not be read: that its header rather has another delimiter, if it has more of it; else nothing. */
export function otherDelimiter(header: string, delimiter: string): string {
  const open = header.replaceAll(/"[^"]*"/g, "");
  const times = (sign: string) => open.split(sign).length - 1;
  const [other, most] = [";", "\t", "|", ","]
    .map((sign) => [sign, times(sign)] as const)
    .sort(([, a], [, b]) => b - a)[0]!;
  if (most <= times(delimiter)) return "";
  return (
    ` The header has more of ${JSON.stringify(other)} than of ${JSON.stringify(delimiter)}: if that stands between cells, ` +
    `read the file with ${remedy(other)}.`
  );
}

function remedy(delimiter: string): string {
  if (delimiter === ";")
    return '--delimiter ";", and --decimal "," if its numbers have decimal commas';
  return delimiter === "\t" ? "--delimiter tab" : `--delimiter "${delimiter}"`;
}
