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
import type { Groups } from "../table/groups.js";
import {
  encodeHexDigits,
  fitHexDigits,
  hexDigitNames,
  type HexDigitsEncoding,
} from "./hex-digits.js";
import {
  encodeNumbers,
  fitNumbers,
  numberNames,
  numberScale,
  type NumberEncoding,
} from "./number-column.js";
import { scaleOf, UNIT_SCALE, type Outside, type Range } from "./scale.js";
import type { Table } from "../table/table.js";
import type { EncodedColumn, Provenance } from "./encoded-column.js";

/** A number, from public knowledge. */
export interface NumberKind {
  /** The cells are numbers. */
  readonly kind: "number";
  /** Between which values nearly all lie; the feature is scaled to [-1, 1] by it. Absent or null: raw units. */
  readonly range?: Range | null;
  /** For people. */
  readonly unit?: string;
  /**
   * Values outside the range: "keep" (default) takes them as they are, up to a whole width beyond its ends, "clip" at the ends,
   * and counts what it held; "refuse" is an error.
   */
  readonly outside?: Outside;
  /**
   * Missing values: refused; the mean of the task's own values; "level": the middle of the range (0 without
   * one) and a second feature that is 1; "drop": the row is left out; or a declared number. Default: by
   * the schema's `missing`, the first or the second.
   */
  readonly missing?:
    | "refuse"
    | "task-mean"
    | "level"
    | "drop"
    | {
        /** The number that stands for a missing one, in raw units. */
        readonly value: number;
      };
  /** What a cell holds where the value is missing, as -99; by default what the table's schema says of all columns. */
  readonly missingCodes?: readonly (string | number)[];
  /**
   * Whether the column is the same in all rows of a task by its meaning, as the size of a hospital is; other rows are refused.
   * `mp-mixed` then expects no more of it than tasks can tell. Default false, and heeded only where `declared` is not false.
   */
  readonly perTask?: boolean;
  /** false: kind and range were taken from the data, and count as pooled. Default true. */
  readonly declared?: boolean;
}

/** Names instead of numbers, from public knowledge. */
export interface CategoryKind {
  /** "binary": two levels, one column. */
  readonly kind: "category" | "binary";
  /** Public levels; those that occur where absent, which is learned from all tasks. */
  readonly levels?: readonly (string | number)[];
  /** A value that is none of the levels: refused (default), or all dummies 0 and counted. */
  readonly unseen?: "refuse" | "zeros";
  /**
   * Missing values: refused; a level of their own; the row left out; all dummies 0; or counted as a
   * declared level. Default: by the schema's `missing`, the first or the second.
   */
  readonly missing?:
    | "refuse"
    | "level"
    | "drop"
    | "zeros"
    | {
        /** The level that a missing value counts as. */
        readonly value: string | number;
      };
  /** Codes that stand for a missing value, as for numbers. */
  readonly missingCodes?: readonly (string | number)[];
  /** Whether it is the same in all rows of a task, as a hospital's region is. */
  readonly perTask?: boolean;
  /** false: the levels were taken from the data, and count as pooled. Default true. */
  readonly declared?: boolean;
}

/** What a feature column holds. Declared levels are public; otherwise those that occur count. */
export type FeatureKind =
  "number" | "binary" | "category" | "hex-digits" | NumberKind | CategoryKind;

/** A fitted column; plain JSON. */
export type ColumnEncoding = NumberEncoding | CategoryEncoding | HexDigitsEncoding;

/** What is done about missing values where the column does not say. */
export type Missing = "refuse" | "impute" | "center";

/** Learns what a column needs; `declared` is undefined for a column that looks like numbers. */
export function fitColumn(
  table: Table,
  column: string,
  declared: FeatureKind | undefined,
  missing: Missing,
  groups: Groups,
): ColumnEncoding {
  const fills = missing !== "refuse";
  if (declared === undefined && missing === "impute" && isBinaryWithGaps(table, column)) {
    return fitCategory(table, column, { binary: true, missing: "level", unseen: "refuse" });
  }
  const options = declared === undefined || typeof declared === "string" ? null : declared;
  switch (options?.kind ?? declared ?? "number") {
    case "binary":
    case "category": {
      const own = category(options, declared);
      const { kind, levels, unseen } = own;
      return fitCategory(table, column, {
        ...(levels ? { levels } : {}),
        ...(own.declared === false ? { pooled: true } : {}),
        unseen: unseen ?? "refuse",
        binary: kind === "binary",
        missing: own.missing ?? (fills ? "level" : "refuse"),
        perTask: isPerTask(own),
      });
    }
    case "hex-digits":
      return fitHexDigits(table, column);
    case "number": {
      const own: Partial<NumberKind> = options?.kind === "number" ? options : {};
      return fitNumbers(table, column, groups, {
        range: own.range,
        unit: own.unit,
        outside: own.outside,
        missing: own.missing ?? gapsOf(missing, own.range),
        pooled: own.declared === false,
        perTask: isPerTask(own),
      });
    }
    default:
      throw new RangeError(
        `kinds: column ${JSON.stringify(column)}: expected one of number, binary, category, hex-digits`,
      );
  }
}

/** Whether somebody vouches that a column is the same in all rows of a task. */
export const isPerTask = ({ perTask, declared }: Pick<NumberKind, "perTask" | "declared">) =>
  perTask === true && declared !== false;

/** What stands for a missing number where the column does not say. */
function gapsOf(missing: Missing, range: Range | null | undefined) {
  if (missing === "center") return { value: range ? scaleOf(range).center : 0 };
  return missing === "impute" ? "task-mean" : "refuse";
}

function category(options: NumberKind | CategoryKind | null, named: unknown): CategoryKind {
  return options && options.kind !== "number" ? options : { kind: named as CategoryKind["kind"] };
}

/** Numbers of just two values, some missing: the mean of a yes and a no means nothing. */
function isBinaryWithGaps(table: Table, name: string): boolean {
  return (
    table.hasGaps(name) &&
    table.isNumeric(table.column(name)) &&
    observedLevels(table, name).length === 2
  );
}

/** Names of the features that a column becomes. */
export function featureNamesOf(encoding: ColumnEncoding): string[] {
  if (encoding.kind === "category") return dummyNames(encoding);
  return encoding.kind === "hex-digits" ? hexDigitNames(encoding) : numberNames(encoding);
}

/** Whether the column was declared to be the same in all rows of a task. */
export const encodesPerTask = (encoding: ColumnEncoding): boolean =>
  encoding.kind !== "hex-digits" && encoding.perTask === true;

/** What is known of those features. */
export function encodedColumns(encoding: ColumnEncoding): EncodedColumn[] {
  const own = encodesPerTask(encoding) ? { perTask: true as const } : {};
  return featureNamesOf(encoding).map((name, k) => {
    if (encoding.kind !== "number" || k > 0) return { name, scale: UNIT_SCALE, ...own };
    const { unit } = encoding;
    return { name, scale: numberScale(encoding), ...(unit === undefined ? {} : { unit }), ...own };
  });
}

/** Whose rows the encoding of a column was learned from. */
export function provenanceOf(encoding: ColumnEncoding): Provenance[] {
  const column = JSON.stringify(encoding.column);
  if (encoding.kind === "hex-digits") {
    return [
      { what: `number of digits in the column ${column}, from the first row`, from: "pooled" },
    ];
  }
  if (encoding.kind === "category") {
    return encoding.pooled
      ? [{ what: `levels of the column ${column} observed over all tasks`, from: "pooled" }]
      : [{ what: `levels of the column ${column}`, from: "declared" }];
  }
  const { range, means, pooled } = encoding;
  const what = `${range ? "range" : "kind"} of the column ${column}`;
  return [
    ...(pooled ? [{ what: `${what} observed over all tasks`, from: "pooled" } as const] : []),
    ...(range && !pooled ? [{ what, from: "declared" } as const] : []),
    ...(means ? [{ what: `means of the column ${column}`, from: "task" } as const] : []),
  ];
}

/** Whether a row is left out where the column's value is missing. */
export function dropsMissing(encoding: ColumnEncoding): boolean {
  if (encoding.kind === "category") return encoding.gap === "drop";
  return encoding.kind === "number" && encoding.missing === "drop";
}

/** Where the features of a column go: positions `at`, at + 1, … of each row of `out`, shape [N, d]. */
export interface Place {
  readonly out: Float64Array;
  readonly d: number;
  readonly at: number;
}

/** Told of values that the encoding did not expect, by the task's position. */
export interface Unexpected {
  /** A number far outside its range, or outside where that is asked for, was held. */
  readonly clipped: (task: number) => void;
  /** A category that is none of the levels became zeros. */
  readonly unseen: (task: number) => void;
}

/** Writes the features of a column. */
export function encodeColumn(
  encoding: ColumnEncoding,
  table: Table,
  groups: Groups,
  place: Place,
  { clipped, unseen }: Unexpected,
): void {
  if (encoding.kind === "number") encodeNumbers(encoding, table, groups, place, clipped);
  else if (encoding.kind === "hex-digits") encodeHexDigits(encoding, table, groups, place);
  else encodeCategory(encoding, table, groups, place, unseen);
}
