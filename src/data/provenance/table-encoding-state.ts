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
  readonly task: TaskSource;
  readonly missing: Missing;
  /** Of features and target: what their cells hold where the value is missing. */
  readonly missingCodes?: MissingCodes;
  readonly columns: readonly ColumnEncoding[];
  /** Whether rows become sparse ones. */
  readonly sparse?: boolean;
  /** Features beside the columns, and whether how many there are was found by looking. */
  readonly entries?: FeatureNumbers & { readonly pooled: boolean };
  /** Column with whose row each is. */
  readonly person?: string;
  /** Column with the weights of rows. */
  readonly weights?: string;
  /** Columns that name rows, which predict carries through. */
  readonly identifiers?: readonly string[];
  /** What was decided by looking at all tasks' rows, beside what the columns say. */
  readonly decided?: readonly string[];
}
