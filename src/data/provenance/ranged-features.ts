/**
 * Which features are numbers that a declared range brought to [-1, 1], whose typical size is a half; others, as indicators, are 0 or 1.
 * @module
 */
import { featureNamesOf } from "../columns/column-encoding.js";
import type { DataEncoding } from "./data-encoding.js";

/** By feature; none where nothing is known of a table that they are columns of. */
export function rangedFeatures({ columns, table, pipeline }: DataEncoding): boolean[] {
  const none = columns.map(() => false);
  if (!table || pipeline) return none;
  // Of a number's features the first is its value; another says that it is missing.
  const ranged = table.columns.flatMap((column) =>
    featureNamesOf(column).map((_, k) => column.kind === "number" && !!column.range && k === 0),
  );
  return ranged.length === columns.length ? ranged : none;
}
