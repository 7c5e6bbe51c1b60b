/**
 * The lines of a text that is never whole in memory.
 * @module
 */
import { DataError } from "../../../core/errors.js";
import { textOf, type CsvInput } from "./csv-pieces.js";

/** Longest line. */
const LONGEST = 1 << 24;

/**
 * Lines without their ends, counted from 1; what ends a line is \n, \r\n or \r.
 * @throws DataError if the text is not UTF-8, or a line is longer than 2^24 characters.
 */
export async function* textLines(
  input: CsvInput,
  name: string,
): AsyncGenerator<{ readonly text: string; readonly line: number }> {
  let line = 0;
  let begun = "";
  for await (const part of textOf(input, name)) {
    const text = begun + part;
    // A \r at the end may be half of what ends a line.
    const whole = text.endsWith("\r") ? text.slice(0, -1) : text;
    const lines = whole.split(/\r\n|\n|\r/);
    begun = lines.pop()! + text.slice(whole.length);
    for (const one of lines) yield { text: one, line: ++line };
    if (begun.length > LONGEST) {
      throw new DataError(
        `${name}, line ${line + 1}: a line goes on for more than ${LONGEST} characters.`,
      );
    }
  }
  if (begun !== "") yield { text: begun.replace(/\r$/, ""), line: line + 1 };
}
