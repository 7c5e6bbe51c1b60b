/**
 * Tables that come one after the other, and what their reader may be told of the use that is made of them.
 * @module
 */
import type { Table } from "./table.js";

/** Columns that are used, by name. */
export interface ColumnUse {
  /** Of which numbers alone are asked for. */
  readonly numbers: ReadonlySet<string>;
  /** Of which the text may be asked for. */
  readonly texts: ReadonlySet<string>;
}

/** Tables of the same columns, read as they are asked for. */
export interface TableStream extends AsyncIterable<Table> {
  /**
   * Says what is used of the tables from now on: a reader may leave the other columns out, and the text of numbers. Nothing
   * else about the values is changed by it.
   */
  use?(columns: ColumnUse): void;
}

/** A stream whose reader asks what it was told. */
export function tableStream(
  read: (told: () => ColumnUse | undefined) => AsyncGenerator<Table>,
): TableStream & Required<Pick<TableStream, "use">> {
  let told: ColumnUse | undefined;
  return {
    use(columns) {
      told = columns;
    },
    [Symbol.asyncIterator]: () => read(() => told),
  };
}
