/**
 * The records of a file of comma-separated text as they come: a header, then rows of its length.
 * @module
 */
import { DataError } from "../../../core/errors.js";
import { isMissing, parseNumber } from "../../table/cells.js";
import { Table } from "../../table/table.js";
import { checkTableSize } from "../bytes/limits.js";
import { otherDelimiter } from "./first-line.js";
import { GrowingColumn } from "./growing-column.js";

const SHORTER = " A cell without a value needs its delimiter, too.";

const LONGER =
  " A cell that contains the delimiter, as a decimal comma may be, must stand in quotes.";

const ROW_NAMES =
  " If the first cells are the names of rows, as R writes them, write the table with col.names = NA or without them.";

/** The records of a file as they come: the header, then rows. Columns without a name are none as long as nothing is in them. */
export class CsvRows {
  readonly #name: string;
  readonly #numbers: boolean;
  readonly #delimiter: string;
  #header: string[] | undefined;
  /** One for every cell of the header; null for one without a name. */
  #columns: (GrowingColumn | null)[] = [];
  readonly #lines = new GrowingColumn();
  #count = 0;
  /** The first row of another length than the header, and whether all rows have one cell more. */
  #odd: { line: number; cells: number } | undefined;
  #allLonger = true;

  constructor(name: string, numbers: boolean, delimiter: string) {
    this.#name = name;
    this.#delimiter = delimiter;
    this.#numbers = numbers;
  }

  /** Rows so far. */
  get count(): number {
    return this.#count;
  }

  /** Names of the columns, once they were read; empty where nothing may stand. */
  get header(): readonly string[] | undefined {
    return this.#header && this.#names();
  }

  /** Rows under the same header. */
  next(): CsvRows {
    const rows = new CsvRows(this.#name, this.#numbers, this.#delimiter);
    rows.#begin(this.#header!);
    return rows;
  }

  #begin(header: readonly string[]): void {
    this.#header = [...header];
    this.#columns = header.map((name, j) =>
      j > 0 && name === "" ? null : new GrowingColumn(this.#numbers),
    );
  }

  take(record: readonly string[], line: number): void {
    if (!this.#header) {
      checkTableSize(this.#name, 0, record.length);
      this.#begin(record);
      return;
    }
    const { length } = this.#header;
    this.#allLonger &&= record.length === length + 1;
    if (record.length !== length) this.#odd ??= { line, cells: record.length };
    if (this.#odd) {
      // Names of rows are told from a slip by the first rows.
      if (this.#count++ > 1000 || !this.#allLonger) this.#refuseOdd();
      return;
    }
    checkTableSize(this.#name, ++this.#count, length);
    this.#lines.push(String(line));
    for (let j = 0; j < length; j++) {
      const column = this.#columns[j]!;
      if (column) column.push(record[j]!);
      else if (record[j] !== "") this.#refuseNameless(j, line);
    }
  }

  #refuseNameless(at: number, line: number): never {
    throw new DataError(
      `${this.#name}: column ${at + 1} of the header has no name. Line ${line} has a value there: write a name, or leave the column ` +
        "out of the file. If the names of the columns stand in a later line, delete what is above it.",
    );
  }

  #names(): string[] {
    const header = this.#header!;
    return header[0] === "" ? [nameOfIndex(header), ...header.slice(1)] : header;
  }

  #refuseOdd(): never {
    const { line, cells } = this.#odd!;
    const guess =
      (cells < this.#header!.length ? SHORTER : LONGER) + (this.#allLonger ? ROW_NAMES : "");
    const other = otherDelimiter(this.#header!.join(this.#delimiter), this.#delimiter);
    throw new DataError(
      `${this.#name}, line ${line} has ${cells} cells, the header has ${this.#header!.length}.${other || guess}`,
    );
  }

  finish(): Table {
    const header = this.#header;
    const name = this.#name;
    if (!header) throw new DataError(`${name} is empty; expected a header line and rows.`);
    if (this.#odd) this.#refuseOdd();
    const names = this.#names();
    const index = header[0] === "" ? names[0] : undefined;
    const { values: lines } = this.#lines.finish("");
    return new Table(
      this.#columns.flatMap((column, j) => (column ? [column.finish(names[j]!)] : [])),
      {
        name,
        lines: Uint32Array.from(lines as Float64Array),
        index,
        doubtfulHeader: header.some(isData),
        decimalCommas: !this.#numbers,
      },
    );
  }
}

/** What no one calls a column: a number, or a word for a missing value. */
const isData = (cell: string) =>
  parseNumber(cell) !== undefined || (isMissing(cell) && cell !== "");

function nameOfIndex(header: readonly string[]): string {
  let name = "(row)";
  while (header.includes(name)) name += "'";
  return name;
}
