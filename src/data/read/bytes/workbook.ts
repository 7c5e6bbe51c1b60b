/**
 * Files that spreadsheets keep for themselves, which hold tables but are none.
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

/** The end of a sentence on a name that tells no format. */
export const savedAsText = (name: string): string =>
  ENDING.test(name) ? ` Of a workbook ${SAVE}` : "";

/** @throws DataError if the bytes, the first of a text, begin as a workbook does. */
export function refuseWorkbook(bytes: Uint8Array, name: string): void {
  if (!STARTS.some((start) => start.every((byte, at) => bytes[at] === byte))) return;
  throw new DataError(`${name} is no text, but a workbook or another packed file: ${SAVE}`);
}
