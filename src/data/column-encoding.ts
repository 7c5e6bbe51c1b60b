/**
 * How one column of a table becomes features: by its kind.
 * @module
 */
import {
  dummyNames,
  encodeCategory,
  fitCategory,
  observedLevels,
  type CategoryEncoding,
} from "./categorical.js";
import type { Groups } from "./groups.js";
import {
  encodeHexDigits,
  fitHexDigits,
  hexDigitNames,
  type HexDigitsEncoding,
} from "./hex-digits.js";
import { encodeNumbers, fitTaskMeans, type NumberEncoding } from "./impute.js";
import type { Table } from "./table.js";

/** What a feature column holds. Declared levels are public; otherwise those that occur count. */
export type FeatureKind =
  | "number"
  | "binary"
  | "category"
  | "hex-digits"
  | { kind: "binary"; levels: readonly [string | number, string | number] }
  | {
      kind: "category";
      levels?: readonly (string | number)[];
      /** A value that is none of the levels: refused (default), or all dummies 0. */
      unseen?: "refuse" | "zeros";
    };

/** A fitted column; plain JSON. */
export type ColumnEncoding = NumberEncoding | CategoryEncoding | HexDigitsEncoding;

/** Learns what a column of the declared kind needs. */
export function fitColumn(
  table: Table,
  column: string,
  declared: FeatureKind,
  missing: "refuse" | "impute",
  groups: Groups,
): ColumnEncoding {
  const options = typeof declared === "string" ? { kind: declared } : declared;
  const impute = missing === "impute";
  switch (options.kind) {
    case "binary":
    case "category":
      return fitCategory(table, column, {
        ...("levels" in options && options.levels ? { levels: options.levels } : {}),
        unseen: ("unseen" in options && options.unseen) || "refuse",
        binary: options.kind === "binary",
        missing: impute,
      });
    case "hex-digits":
      return fitHexDigits(table, column);
    case "number":
      if (!impute) return { kind: "number", column };
      if (isBinaryWithGaps(table, column)) {
        return fitCategory(table, column, { binary: true, missing: true, unseen: "refuse" });
      }
      return fitTaskMeans(table, column, groups);
    default:
      throw new RangeError(
        `kinds: column ${JSON.stringify(column)}: expected one of number, binary, category, hex-digits`,
      );
  }
}

/** Numbers of just two values, some missing: the mean of a yes and a no means nothing. */
function isBinaryWithGaps(table: Table, name: string): boolean {
  const column = table.column(name);
  const gaps = Array.from({ length: table.rows }, (_, row) => table.missing(column, row));
  return gaps.includes(true) && table.isNumeric(column) && observedLevels(table, name).length === 2;
}

/** Names of the features that a column becomes. */
export function featureNamesOf(encoding: ColumnEncoding): string[] {
  if (encoding.kind === "category") return dummyNames(encoding);
  return encoding.kind === "hex-digits" ? hexDigitNames(encoding) : [encoding.column];
}

/** Writes those features into positions `at`, at + 1, … of each row of `out`, shape [N, d]. */
export function encodeColumn(
  encoding: ColumnEncoding,
  table: Table,
  groups: Groups,
  out: Float64Array,
  d: number,
  at: number,
): void {
  if (encoding.kind === "number") encodeNumbers(encoding, table, groups, out, d, at);
  else if (encoding.kind === "category") encodeCategory(encoding, table, groups, out, d, at);
  else encodeHexDigits(encoding, table, groups, out, d, at);
}
