/**
 * Files of other programs, which hold tables but are none that is read here: what to make of them.
 * @module
 */
import { DataError } from "../../../core/errors.js";

/** First bytes: of a zip archive (.xlsx, .ods), and of an older workbook (.xls). */
const STARTS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

const ENDING = /\.(?:xlsx?|xlsm|xlsb|ods|numbers)$/i;

/** What to do instead. */
const SAVE = 'save the sheet with the rows as text ("CSV UTF-8" in spreadsheets).';

/** Text whose name does not say what stands between its cells. */
const PLAIN = /\.(?:txt|dat|text|asc)$/i;

const PACKED = /\.(?:zip|7z|rar|tar|tgz|xz|bz2|zst)$/i;

/** Files of other programs. */
const OTHERS = /\.(?:dta|sav|jsonl?|ndjson|feather|arrow)$/i;

/** The end of a sentence on a name that tells no format. */
export function savedAsText(name: string): string {
  if (ENDING.test(name)) return ` Of a workbook ${SAVE}`;
  const bare = name.replace(/\.gz$/i, "");
  if (PACKED.test(bare)) return " Unpack it first.";
  if (OTHERS.test(bare)) {
    return " Write it as CSV where it comes from, or by pandas: read_stata, read_spss, read_json or read_feather, then to_csv.";
  }
  return PLAIN.test(bare)
    ? " If it is text with something between its cells, call it .csv, and say what by --delimiter, or .tsv where that is a tab."
    : "";
}

/** @throws DataError if the bytes, the first of a text, begin as a workbook does. */
export function refuseWorkbook(bytes: Uint8Array, name: string): void {
  if (!STARTS.some((start) => start.every((byte, at) => bytes[at] === byte))) return;
  throw new DataError(`${name} is no text, but a workbook or another packed file: ${SAVE}`);
}
