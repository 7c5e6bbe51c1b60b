/**
 * What the page and its workers say of a table of the user's own. Types only.
 * @module
 */
import type { LossName } from "../../../src/learning/index.js";

/** One column of a table that was chosen, as far as the choice of task and target needs it. */
export interface ColumnSummary {
  readonly name: string;
  readonly numeric: boolean;
  /** Different values, counted up to 1000. */
  readonly distinct: number;
  readonly missing: number;
  /** Values that look like codes for missing ones, as -999 among ages, and how many rows have them. */
  readonly codes: readonly { readonly value: string; readonly rows: number }[];
  /** Of text: numbers with a unit or with marks between thousands, or dates, which as text say nothing. */
  readonly written?: "marked" | "dates";
}

/** A table before anyone said which column is what. */
export interface TableSummary {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly ColumnSummary[];
}

/**
 * How rows are scaled before learning: "method": as each method needs it, by ranges alone where that is enough; or
 * alike for all methods.
 */
export type Scaling = "method" | "standardize" | "unit-rows" | "none";

/** Where the ranges of numbers come from: stated by the user; the table itself; or nowhere. */
export type RangeSource = "stated" | "table" | "none";

/** Least and largest value. */
export type StatedRange = readonly [least: number, most: number];

/** What a target of numbers cannot be less or more than by its meaning; null: there is none. */
export type StatedLimits = readonly [least: number | null, most: number | null];

/** Which column is what. */
export interface TableChoice {
  readonly task: string;
  readonly target: string;
  readonly features: readonly string[];
  readonly categorical: readonly string[];
  /** Columns that are no features because of what all rows hold, and not because the user said so; default none. */
  readonly leftOut?: readonly string[];
  readonly loss: LossName;
  readonly scaling: Scaling;
  readonly rangesFrom: RangeSource;
  /** Of features and target, by name, where they are stated; what is left out is in raw units. */
  readonly ranges: Readonly<Record<string, StatedRange>>;
  /** Of a target of numbers whose range is stated. */
  readonly limits?: StatedLimits;
  /** What features and target hold where a value is missing. */
  readonly missingCodes?: readonly string[];
  /** Whether the levels of categories and labels that occur are vouched for as public. */
  readonly levelsPublic: boolean;
}

/** A table's file. */
export interface TableFile {
  readonly name: string;
  readonly bytes: ArrayBuffer;
}
