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
  /** How much of the file was read, between 0 and 1; absent where that is not known. */
  share?(): number;
}

/** What a reader and the stream know of each other. */
export interface Reading {
  /** What is used of the columns, once that was said. */
  use: ColumnUse | undefined;
  /** Between 0 and 1. */
  share: number;
}

/** The stream of a reader. */
export function tableStream(
  read: (reading: Reading) => AsyncGenerator<Table>,
): Required<TableStream> {
  const reading: Reading = { use: undefined, share: 0 };
  return {
    use(columns) {
      reading.use = columns;
    },
    share: () => reading.share,
    [Symbol.asyncIterator]: () => read(reading),
  };
}
