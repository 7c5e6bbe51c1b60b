/**
 * Transforms of the feature matrix, as they are asked for and as they are once fitted: plain data.
 * @module
 */

/** Every row divided by its l2 norm; a row of zeros stays. Needs no statistics. */
export interface UnitRows {
  readonly kind: "unit-rows";
}

/** One more feature with the same value in every row. Needs no statistics. */
export interface ConstantColumn {
  readonly kind: "constant";
  /** Name of the feature, not yet in use. Default "constant". */
  readonly name: string;
  /** Default 1. */
  readonly value: number;
}

/** What is subtracted from each of the d columns, and what the rest is divided by. */
export interface ColumnStatistics {
  readonly mean: readonly number[];
  /** Population standard deviations; 1 for a constant column. */
  readonly scale: readonly number[];
}

/** Columns minus their mean, over their population standard deviation. */
export type Standardize =
  | {
      readonly kind: "standardize";
      /** Each task by its own statistics. */
      readonly scope: "task";
      /** By task name. */
      readonly tasks: Readonly<Record<string, ColumnStatistics>>;
    }
  | ({
      readonly kind: "standardize";
      /** "pooled": measured over the rows of all tasks, not private. "declared": public. */
      readonly scope: "pooled" | "declared";
    } & ColumnStatistics);

/** A fitted transform. */
export type Transform = UnitRows | ConstantColumn | Standardize;

/** A transform asked for; fitting fills in what it measures. */
export type TransformSpec =
  | UnitRows
  | {
      readonly kind: "constant";
      /** Name of the feature, not yet in use; default "constant". */
      readonly name?: string;
      /** Its value in every row; default 1. */
      readonly value?: number;
    }
  | {
      readonly kind: "standardize";
      /** "task": each task by its own statistics. "pooled": by those of the rows of all tasks, which is not private. */
      readonly scope: "task" | "pooled";
    }
  | ({
      readonly kind: "standardize";
      /** By public statistics, given here. */
      readonly scope: "declared";
    } & ColumnStatistics);
