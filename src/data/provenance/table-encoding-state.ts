/**
 * How the columns of a table become tasks, as a model file holds it.
 * @module
 */
import type { FileFormat } from "../../core/file-format.js";
import type { ColumnEncoding, Missing } from "../columns/column-encoding.js";
import type { TaskSource } from "../table/groups.js";
import type { FeatureNumbers } from "../sparse/sparse-features.js";
import type { MissingCodes } from "../schema/missing-codes.js";
import type { TargetEncoding } from "../schema/target-column.js";

/** An encoding as a model file holds it. */
export interface TableEncodingState extends FileFormat, TargetEncoding {
  /** The column that names each row's task, or the one task of all rows. */
  readonly task: TaskSource;
  /** What is done about missing values where a column does not say. */
  readonly missing: Missing;
  /** Of features and target: what their cells hold where the value is missing. */
  readonly missingCodes?: MissingCodes;
  /** The columns that became features, in order. */
  readonly columns: readonly ColumnEncoding[];
  /** Whether rows become sparse ones. */
  readonly sparse?: boolean;
  /** Features beside the columns. */
  readonly entries?: FeatureNumbers & {
    /** Whether how many there are was found by looking. */
    readonly pooled: boolean;
  };
  /** Column with whose row each is. */
  readonly person?: string;
  /** Column with the weights of rows. */
  readonly weights?: string;
  /** Columns that name rows, which predict carries through. */
  readonly identifiers?: readonly string[];
  /** What was decided by looking at all tasks' rows, beside what the columns say. */
  readonly decided?: readonly string[];
}
