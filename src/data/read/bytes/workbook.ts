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

/** What to do with packed files and those of other programs. */
const CONVERTED: readonly (readonly [ending: RegExp, todo: string])[] = [
  [/\.(?:zip|7z|rar|tar|tgz)$/i, "Unpack it, and give the table in it."],
  [/\.(?:xz|bz2|zst)$/i, "Unpack it (xz -d, bzip2 -d, zstd -d); packed by gzip it is read."],
  [
    /\.dta$/i,
    'Write it as text: export delimited in Stata, pandas.read_stata("t.dta").to_csv("t.csv", index=False) in Python.',
  ],
  [/\.sav$/i, 'Write it as text: CSV in SPSS, write.csv(haven::read_sav("t.sav"), "t.csv") in R.'],
  [
    /\.(?:jsonl?|ndjson)$/i,
    'Write it as text: pandas.read_json("t.json").to_csv("t.csv", index=False) in Python, with lines=True if every line is a row.',
  ],
  [/\.(?:feather|arrow|pkl)$/i, "Write it as Parquet, by to_parquet of pandas in Python."],
];

/** The end of a sentence on a name that tells no format. */
export function savedAsText(name: string): string {
  if (ENDING.test(name)) return ` Of a workbook ${SAVE}`;
  const bare = name.replace(/\.gz$/i, "");
  const converted = CONVERTED.find(([ending]) => ending.test(bare));
  if (converted) return ` ${converted[1]}`;
  return PLAIN.test(bare)
    ? " If it is text with something between its cells, call it .csv, and say what by --delimiter, or .tsv where that is a tab."
    : "";
}

/** @throws DataError if the bytes, the first of a text, begin as a workbook does. */
export function refuseWorkbook(bytes: Uint8Array, name: string): void {
  if (!STARTS.some((start) => start.every((byte, at) => bytes[at] === byte))) return;
  throw new DataError(`${name} is no text, but a workbook or another packed file: ${SAVE}`);
}
