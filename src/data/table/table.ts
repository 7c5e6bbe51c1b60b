/**
 * `Table`: named columns as they come from a file or from memory, before they become tasks.
 * @module
 */
import { array, object, text } from "../../core/checks.js";
import { DataError } from "../../core/errors.js";
import { didYouMean } from "../../core/messages/nearest.js";
import {
  arePercentages,
  hasDecimalComma,
  isMissing,
  parseNumber,
  POINT_AMONG_COMMAS,
  READ_WITH_COMMAS,
  withoutPercent,
} from "./cells.js";
import { CellsAtFault } from "./cells-at-fault.js";
import { takeFeatures, type SparseFeatures } from "../sparse/sparse-features.js";

/** A column of numbers; NaN is a missing value. */
export interface NumberColumn {
  readonly name: string;
  readonly values: Float64Array;
  /** Of text files: every number was written as `String` writes it, so that its text is known. */
  readonly asWritten?: true;
}

/** A column of text, trimmed; what a cell means is decided where the column is used. */
export interface TextColumn {
  readonly name: string;
  readonly values: readonly string[];
  /**
   * Of text with decimal commas: all are numbers, and some have points, which may separate thousands. It is text to whoever
   * takes it for names, and refused as numbers, which could be a thousand times too small.
   */
  readonly points?: true;
}

/** One column of a table. */
export type Column = NumberColumn | TextColumn;

/** Whether a column holds numbers. */
export function isNumberColumn(column: Column): column is NumberColumn {
  return column.values instanceof Float64Array;
}

/** Where a table came from, for messages. */
export interface TableSource {
  /** File name or other short name. Default "table". */
  readonly name?: string;
  /** For text files: the line each row is on, counted from 1. */
  readonly lines?: Uint32Array | undefined;
  /** Without lines: the number of the first row in what the table is a part of. Default 0. */
  readonly firstRow?: number | undefined;
  /** Without lines: the number of each row, where they are not consecutive. */
  readonly rowNumbers?: Uint32Array | undefined;
  /** The column that only numbers or names the rows (R's and pandas' first, without a header). */
  readonly index?: string | undefined;
  /** Whether the names of the columns may be data, the file having no header: then no message shows them. */
  readonly doubtfulHeader?: boolean | undefined;
  /** Features that the table holds beside its columns. */
  readonly sparse?: SparseFeatures | undefined;
  /** Whether numbers were written with decimal commas. Default false. */
  readonly decimalCommas?: boolean | undefined;
}

const NO_HEADER =
  "The first line holds numbers, so the file seems to have no header: give it a first line with the names of the columns.";

/** From the cells of a column to their numbers' text. */
const barer = ({ values }: Column): ((cell: string) => string) =>
  typeof values[0] === "string" && arePercentages(values as readonly string[])
    ? withoutPercent
    : (cell) => cell;

/** Columns of equal length with unique names. */
export class Table {
  /** All of the table's columns, in order. */
  readonly columns: readonly Column[];
  /** Number of rows. */
  readonly rows: number;
  /** File name, for messages. */
  readonly name: string;
  /** The column that only numbers or names the rows: never a feature unless named. */
  readonly index: string | undefined;
  /** Features of every row beside the columns, of files with sparse rows. */
  readonly sparse: SparseFeatures | undefined;
  readonly #source: TableSource;

  /**
   * @throws DataError if there is no column or no row, lengths differ, or a name is given twice.
   * @example new Table([{ name: "age", values: Float64Array.of(41, NaN) }, …])
   */
  constructor(columns: readonly Column[], source: TableSource = {}) {
    array("columns", columns);
    this.name = source.name ?? "table";
    this.index = source.index;
    this.sparse = source.sparse;
    this.#source = source;
    this.columns = [...columns];
    this.rows = columns[0]?.values.length ?? 0;
    if (columns.length === 0) throw new DataError(`${this.name} has no columns.`);
    const seen = new Set<string>();
    for (const { name, values } of columns) {
      const quoted = JSON.stringify(name);
      if (seen.has(name)) {
        throw new DataError(
          source.doubtfulHeader
            ? `${this.name}: two columns have the same name. ${NO_HEADER}`
            : `${this.name}: two columns are called ${quoted}. Rename one in the header.`,
        );
      }
      seen.add(name);
      if (values.length !== this.rows) {
        throw new DataError(
          `${this.name}, column ${quoted} has ${values.length} rows, expected ${this.rows}.`,
        );
      }
    }
    if (this.rows === 0) throw new DataError(`${this.name} has no rows.`);
    const held = this.sparse && this.sparse.rows.starts.length - 1;
    if (held !== undefined && held !== this.rows) {
      throw new DataError(
        `${this.name} has sparse features of ${held} rows, expected ${this.rows}.`,
      );
    }
  }

  /** Names of the columns, in order. */
  get columnNames(): string[] {
    return this.columns.map(({ name }) => name);
  }

  /** Whether numbers were written with decimal commas, which reading made points. */
  get decimalCommas(): boolean {
    return this.#source.decimalCommas === true;
  }

  /** Whether there is a column of this name. */
  has(name: string): boolean {
    return this.columns.some((column) => column.name === name);
  }

  /**
   * A column by name.
   * @throws DataError for an unknown name, listing what there is.
   */
  column(name: string): Column {
    const found = this.columns.find((column) => column.name === name);
    if (found) return found;
    text("name", name);
    if (this.#source.doubtfulHeader) {
      throw new DataError(`${this.name} has no column ${JSON.stringify(name)}. ${NO_HEADER}`);
    }
    const names = this.columnNames;
    const shown = names.slice(0, 20).map((known) => JSON.stringify(known));
    const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : "";
    throw new DataError(
      `${this.name} has no column ${JSON.stringify(name)}; it has ${shown.join(", ")}${more}.` +
        didYouMean(name, names),
    );
  }

  /** `school.csv, line 17, column "age"`, or `table, row 15, column "age"` (rows from 0). */
  place(row: number, column: string): string {
    return `${this.name}, ${this.where(row)}, column ${JSON.stringify(column)}`;
  }

  /** `line 17`, or `row 15` (from 0) of what is not from text. */
  where(row: number): string {
    const { lines } = this.#source;
    return lines ? `line ${lines[row]}` : `row ${this.#numberOf(row)}`;
  }

  /** The number of a row in what the table is a part of. */
  #numberOf(row: number): number {
    const { rowNumbers, firstRow = 0 } = this.#source;
    return rowNumbers?.[row] ?? firstRow + row;
  }

  /** Whether the value of a column is missing in a row. */
  missing(column: Column, row: number): boolean {
    return isNumberColumn(column)
      ? Number.isNaN(column.values[row])
      : isMissing(column.values[row]!);
  }

  /** The same rows with other columns. */
  withColumns(columns: readonly Column[]): Table {
    return new Table(columns, this.#source);
  }

  /** Whether some value of the column is missing. */
  hasGaps(name: string): boolean {
    const column = this.column(name);
    for (let row = 0; row < this.rows; row++) if (this.missing(column, row)) return true;
    return false;
  }

  /**
   * Some rows, in the order given; messages name the lines, or the rows, that they came from.
   * @throws DataError if there is none.
   */
  select(rows: ArrayLike<number>): Table {
    const lines = this.#source.lines;
    const at = Array.from(object("rows", rows));
    const columns = this.columns.map((column) =>
      isNumberColumn(column)
        ? { ...column, values: Float64Array.from(at, (row) => column.values[row]!) }
        : { ...column, values: at.map((row) => column.values[row]!) },
    );
    return new Table(columns, {
      ...this.#source,
      lines: lines && Uint32Array.from(at, (row) => lines[row]!),
      rowNumbers: lines ? undefined : Uint32Array.from(at, (row) => this.#numberOf(row)),
      sparse: this.sparse && takeFeatures(this.sparse, at),
    });
  }

  /** Whether the values of the column are percentages, all written with the sign, which are numbers without it: 50 % is 50. */
  isPercentage(column: Column): boolean {
    return !isNumberColumn(column) && arePercentages(column.values) && this.isNumeric(column);
  }

  /** Whether every value of the column that is there is a finite number, or every one a percentage. */
  isNumeric(column: Column): boolean {
    if (isNumberColumn(column))
      return !column.values.includes(Infinity) && !column.values.includes(-Infinity);
    if (column.points) return false;
    const bare = barer(column);
    return column.values.every((cell) => isMissing(cell) || parseNumber(bare(cell)) !== undefined);
  }

  /**
   * A column as numbers, NaN where missing.
   * @param hint what else the user could do about a cell that is not a number.
   * @throws DataError naming line and column of such cells, never their content.
   */
  numbers(name: string, hint = ""): Float64Array {
    const column = this.column(name);
    // A missing one is NaN already.
    if (isNumberColumn(column) && this.isNumeric(column)) return column.values.slice();
    this.refusePoints(column);
    const bare = barer(column);
    let comma: number | undefined;
    const [odd, infinite] = [new CellsAtFault(), new CellsAtFault()];
    const numbers = Float64Array.from({ length: this.rows }, (_, row) => {
      if (this.missing(column, row)) return NaN;
      const written = column.values[row]!;
      const cell = typeof written === "number" ? written : bare(written);
      const value = typeof cell === "number" ? cell : parseNumber(cell);
      if (value !== undefined && Number.isFinite(value)) return value;
      if (typeof cell === "string" && hasDecimalComma(cell)) {
        comma ??= row; // also where commas are asked for, if another cell is no number at all: that one is the news
        return NaN;
      }
      (typeof cell === "number" ? infinite : odd).add(row);
      return NaN;
    });
    odd.throwAny(this, name, `expected a finite number, found other text.${hint}`);
    infinite.throwAny(this, name, `expected a finite number, found an infinity.${hint}`);
    if (comma === undefined) return numbers;
    throw new DataError(`${this.place(comma, name)}: ${READ_WITH_COMMAS}`);
  }

  /** @throws DataError naming the line of the first point in a column of numbers with decimal commas. */
  refusePoints(column: Column): void {
    if (isNumberColumn(column) || !column.points) return;
    const row = column.values.findIndex((cell) => cell.includes("."));
    throw new DataError(`${this.place(row, column.name)}: ${POINT_AMONG_COMMAS}`);
  }

  /** A column as text, "" where missing. */
  texts(name: string): string[] {
    const column = this.column(name);
    return Array.from({ length: this.rows }, (_, row) =>
      this.missing(column, row) ? "" : String(column.values[row]),
    );
  }
}
