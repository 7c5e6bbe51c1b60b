/**
 * Columns of a table as they go from one thread to another: numbers change hands, equal texts are sent once.
 * @module
 */
import { isNumberColumn, type Column } from "../../data/table/table.js";

/** A column of numbers, or of texts that are given by their place among the different ones. */
export interface PackedColumn {
  readonly name: string;
  readonly values: Float64Array | Uint32Array;
  /** The different texts. */
  readonly texts?: readonly string[];
}

/** For sending; the buffers of `values` may be transferred. */
export function packColumns(columns: readonly Column[]): PackedColumn[] {
  return columns.map((column) => {
    if (isNumberColumn(column)) return column;
    const places = new Map<string, number>();
    const values = Uint32Array.from(column.values, (text) => {
      const known = places.get(text);
      if (known === undefined) places.set(text, places.size);
      return known ?? places.size - 1;
    });
    return { name: column.name, values, texts: [...places.keys()] };
  });
}
