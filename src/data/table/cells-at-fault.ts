/**
 * Cells of a column that all do not fit in the same way: told in one message, so that a file is mended once and not once a cell.
 * @module
 */
import { DataError } from "../../core/errors.js";

/** Rows that are named beside the first. */
const SHOWN = 5;

/** What names a table's cells and rows. */
interface Places {
  place(row: number, column: string): string;
  where(row: number): string;
}

/** Collects rows. */
export class CellsAtFault {
  readonly #rows: number[] = [];

  /** @param row of the table, from 0. */
  add(row: number): void {
    this.#rows.push(row);
  }

  /**
   * @param what  what was expected and found, in words that show no value.
   * @throws DataError naming the first row, and how many and which others, if there is any.
   */
  throwAny(table: Places, column: string, what: string): void {
    const [first, ...others] = this.#rows.toSorted((a, b) => a - b);
    if (first === undefined) return;
    throw new DataError(`${table.place(first, column)}: ${what}${othersText(table, others)}`);
  }
}

function othersText(table: Places, others: readonly number[]): string {
  if (others.length === 0) return "";
  const shown = others.slice(0, SHOWN).map((row) => table.where(row));
  const more = others.length > SHOWN ? ` and ${others.length - SHOWN} more` : "";
  return ` The same in ${shown.join(", ")}${more}.`;
}
