/**
 * What makes the features of a table.
 * @module
 */
import type { ColumnEncoding } from "../columns/column-encoding.js";
import type { FeatureNumbers } from "../sparse/sparse-features.js";

/** What makes the features of a table. */
export interface FeatureSources {
  readonly columns: readonly ColumnEncoding[];
  /** Whether rows become sparse ones, as they do with `entries`. */
  readonly sparse?: boolean;
  /** The features that the table holds beside its columns; they come after those of the columns. */
  readonly entries?: FeatureNumbers;
}
