/**
 * Reads sparse rows in the text form of SVMlight and LIBSVM: `target [qid:task] number:value … [# comment]`, a row a line.
 * @see https://www.cs.cornell.edu/people/tj/svm_light/
 * @module
 */
import { DataError } from "../../../core/errors.js";
import { parseNumber } from "../../table/cells.js";
import { Table } from "../../table/table.js";
import { Growing } from "./growing-numbers.js";
import { MOST_CELLS, MOST_COLUMNS } from "../bytes/limits.js";
import { textLines } from "./text-lines.js";
import type { CsvInput } from "./csv-pieces.js";

const INTEGER = /^\d{1,15}$/;

/**
 * A table with the columns `target` and, if the rows have them, `qid`; the features lie beside them. They are numbered from
 * 1, or from 0 where a row has that number. A value that is 0 is as if it were not there.
 *
 * @param input text, or its bytes in UTF-8, whole or in pieces.
 * @throws DataError naming line and feature: a target or value that is no finite number, numbers that do not ascend or are
 *         beyond a million, a qid in some rows only, no rows, more than 2^29 entries.
 */
export async function readSvmlight(
  input: CsvInput,
  { name = "table" }: { readonly name?: string } = {},
): Promise<Table> {
  const rows = new Rows(name);
  for await (const { text, line } of textLines(input, name)) rows.take(text, line);
  return rows.finish();
}

/** The rows of a file as they come. */
class Rows {
  readonly #name: string;
  readonly #targets = new Growing(Float64Array);
  readonly #tasks = new Growing(Float64Array);
  readonly #lines = new Growing(Uint32Array);
  readonly #ends = new Growing(Uint32Array);
  readonly #numbers = new Growing(Uint32Array);
  readonly #values = new Growing(Float64Array);
  #least = Infinity;
  #most = -1;

  constructor(name: string) {
    this.#name = name;
  }

  take(text: string, line: number): void {
    const comment = text.indexOf("#");
    const words = (comment < 0 ? text : text.slice(0, comment)).trim().split(/[ \t]+/);
    if (words[0] === "") return;
    const place = `${this.#name}, line ${line}`;
    const target = parseNumber(words[0]!);
    if (target === undefined) {
      throw new DataError(
        `${place}: expected the row's target first, a finite number, then number:value pairs.`,
      );
    }
    const grouped = words[1]?.startsWith("qid:") ?? false;
    if (this.#lines.length > 0 && grouped !== this.#tasks.length > 0) {
      throw new DataError(`${place}: expected a qid in every row or in none.`);
    }
    if (grouped) this.#tasks.push(taskOf(words[1]!.slice(4), place));
    this.#targets.push(target);
    this.#lines.push(line);
    let before = -1;
    for (let k = grouped ? 2 : 1; k < words.length; k++) {
      before = this.#takeEntry(words[k]!, before, place);
    }
    this.#ends.push(this.#values.length);
  }

  /** @returns the feature's number. */
  #takeEntry(word: string, before: number, place: string): number {
    const colon = word.indexOf(":");
    const written = word.slice(0, Math.max(colon, 0));
    if (!INTEGER.test(written)) {
      throw new DataError(`${place}: expected number:value pairs, found other text.`);
    }
    const number = Number(written);
    if (number > MOST_COLUMNS) {
      throw new DataError(`${place}: a feature's number is above ${MOST_COLUMNS}.`);
    }
    if (number <= before) {
      throw new DataError(
        `${place}, feature ${number}: expected numbers that ascend within a row, none twice.`,
      );
    }
    const value = parseNumber(word.slice(colon + 1));
    if (value === undefined) {
      throw new DataError(`${place}, feature ${number}: expected a finite number.`);
    }
    this.#least = Math.min(this.#least, number);
    this.#most = Math.max(this.#most, number);
    if (value !== 0) {
      if (this.#values.length === MOST_CELLS) {
        throw new DataError(
          `${this.#name} has more than ${MOST_CELLS} entries, which do not fit into memory; take fewer rows.`,
        );
      }
      this.#numbers.push(number);
      this.#values.push(value);
    }
    return number;
  }

  finish(): Table {
    const name = this.#name;
    if (this.#lines.length === 0) throw new DataError(`${name} has no rows.`);
    if (this.#most < 0) throw new DataError(`${name} has no features.`);
    const first = this.#least === 0 ? 0 : 1;
    const columns = this.#numbers.finish();
    for (let k = 0; k < columns.length; k++) columns[k]! -= first;
    const starts = new Uint32Array(this.#ends.length + 1);
    starts.set(this.#ends.finish(), 1);
    return new Table(
      [
        { name: "target", values: this.#targets.finish() },
        ...(this.#tasks.length > 0 ? [{ name: "qid", values: this.#tasks.finish() }] : []),
      ],
      {
        name,
        lines: this.#lines.finish(),
        sparse: {
          first,
          count: this.#most - first + 1,
          rows: { starts, columns, values: this.#values.finish() },
        },
      },
    );
  }
}

function taskOf(text: string, place: string): number {
  if (INTEGER.test(text)) return Number(text);
  throw new DataError(`${place}: qid: expected an integer of at most 15 digits, from 0.`);
}
