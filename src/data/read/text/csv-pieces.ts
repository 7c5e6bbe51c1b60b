/**
 * Comma-separated text cut into pieces that end with a row, so that no more than a piece of it lies in memory.
 * @module
 */
import { DataError } from "../../../core/errors.js";
import { refuseWorkbook } from "../bytes/workbook.js";

/** Text or its bytes in UTF-8, whole or in pieces. */
export type CsvInput = string | Uint8Array | AsyncIterable<Uint8Array>;

/** Whole rows of a file. */
export interface CsvPiece {
  readonly text: string;
  /** Lines of the file before it. */
  readonly linesBefore: number;
  /** What ends a line. */
  readonly lineEnd: string;
}

/** Characters parsed at once: rows in the making take several times as much. */
const PIECE = 1 << 20;
/** Longest row, a quoted cell of many lines or a header included. */
const LONGEST_ROW = 1 << 24;
const QUOTE = '"'.charCodeAt(0);

/**
 * The text in parts of any length.
 * @throws DataError if it is not UTF-8, or a workbook.
 */
export async function* textOf(input: CsvInput, name: string): AsyncGenerator<string> {
  if (typeof input === "string") {
    // A mark of the byte order is for decoders, which drop it.
    const text = input.replace(/^\ufeff/, "");
    for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
    return;
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw notUtf8(name);
    }
  };
  let first = true;
  for await (const bytes of input instanceof Uint8Array ? [input] : input) {
    if (first) {
      refuseWorkbook(bytes, name);
      // Half of the bytes of UTF-16 are 0, and without a mark of the byte order all the rest may be right.
      if (bytes.subarray(0, 2).includes(0)) throw notUtf8(name);
    }
    first = false;
    for (let at = 0; at < bytes.length; at += PIECE) yield decoded(bytes.subarray(at, at + PIECE));
  }
  yield decoded();
}

const notUtf8 = (name: string) =>
  new DataError(
    `${name} is not UTF-8 text. Save it as UTF-8 ("CSV UTF-8" in spreadsheets, or iconv -f LATIN1 -t UTF-8; -f UTF-16 ` +
      'for what spreadsheets call "Unicode text").',
  );

/** Follows quotes through a file: a line that ends inside of them does not end a row. */
class RowEnds {
  #quoted = false;
  #lineEnd: string | undefined;

  get lineEnd(): string {
    return this.#lineEnd ?? "\n";
  }

  /** Where the last row ends in `text`, which goes on where the one before stopped; 0 if none ends there. */
  last(text: string): number {
    let end = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) this.#quoted = !this.#quoted;
      else if (!this.#quoted && (code === 10 || code === 13)) {
        this.#lineEnd ??= code === 10 ? "\n" : text[at + 1] === "\n" ? "\r\n" : "\r";
        if (text.startsWith(this.#lineEnd, at)) end = at + this.#lineEnd.length;
      }
    }
    return end;
  }
}

/**
 * @param name names the file in errors.
 * @throws DataError if the text is not UTF-8, or a row is longer than 2^24 characters, as after a quote that is never
 *   closed.
 */
export async function* csvPieces(input: CsvInput, name: string): AsyncGenerator<CsvPiece> {
  const rows = new RowEnds();
  let linesBefore = 0;
  /** Of a row whose end has not come yet, joined only then: a cell may go through many parts. */
  let begun: string[] = [];
  let length = 0;
  let held = "";
  for await (const part of textOf(input, name)) {
    const text = held + part;
    // A line's end of two characters is not looked at until both are there.
    const whole = text.length - (text.endsWith("\r") ? 1 : 0);
    held = text.slice(whole);
    const end = rows.last(text.slice(0, whole));
    if (end > 0) {
      const piece = begun.join("") + text.slice(0, end);
      yield { text: piece, linesBefore, lineEnd: rows.lineEnd };
      linesBefore += piece.split(rows.lineEnd).length - 1;
      [begun, length] = [[], 0];
    }
    begun.push(text.slice(end, whole));
    length += whole - end;
    if (length > LONGEST_ROW) {
      throw new DataError(
        `${name}, line ${linesBefore + 1}: a row goes on for more than ${LONGEST_ROW} characters; is a quote never closed?`,
      );
    }
  }
  const rest = begun.join("") + held;
  if (rest !== "") yield { text: rest, linesBefore, lineEnd: rows.lineEnd };
}
