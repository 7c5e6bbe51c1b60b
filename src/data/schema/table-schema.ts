/**
 * What may be said of a table that is to become tasks.
 * @module
 */
import { oneOf } from "../../core/checks.js";
import { checkNames, namesOf } from "../../core/messages/known-names.js";
import type { FeatureKind, Missing } from "../columns/column-encoding.js";
import type { FeatureNumbers } from "../sparse/sparse-features.js";
import type { TaskSource } from "../table/groups.js";
import { requireTable } from "../table/require-table.js";
import type { Table } from "../table/table.js";
import type { DataSchema } from "./schema.js";

/** Options of {@link TableEncoding.fit}. */
export interface TableSchema {
  /**
   * Column with the task's name; or `{ name }` where all rows belong to one task of that name. Needed,
   * here or in `schema`.
   */
  task?: TaskSource;
  /** Column with whose row each is, the same in every task; not a feature. */
  person?: string;
  /** Column with how much each row counts beside the others of its task, numbers >= 0; not a feature. */
  weights?: string;
  /** Column with the target. Needed, here or in `schema`. */
  target?: string;
  /** "number"; "label"; "auto" (default): labels if some value is not a number. */
  targetKind?: "auto" | "number" | "label";
  /** Feature columns; by default all but task, target, identifiers and ignored ones, in the table's order. */
  features?: readonly string[];
  /** By column name; what is said here goes before `schema`. */
  kinds?: Readonly<Record<string, FeatureKind>>;
  /** What is publicly known of the columns: ranges, levels, roles; see {@link parseSchema}. */
  schema?: DataSchema;
  /**
   * Features of which nothing is said: "number" (default), whose other text is refused; or "auto": texts of
   * at most 50 different values are categories, of two values one column, with a level for missing values
   * where there are any; values that training did not have are zeros at predict. Columns with more texts are
   * left out. What the data decides is listed as pooled by private fits, whatever came out.
   */
  undeclared?: "number" | "auto";
  /**
   * "refuse" (default); or "impute": a number becomes the mean of its task's values; a missing
   * category is a level of its own, as is a missing value in a column that has just two values;
   * rows without a target are left out and counted; or "center": the same, but a number becomes the middle of its
   * declared range, 0 without one, so that no row depends on others of its task.
   */
  missing?: Missing;
  /**
   * What a cell holds where its value is missing, beside what counts as missing anyway: of features and target of which `schema`
   * does not say it. Default none.
   */
  missingCodes?: readonly (string | number)[];
  /**
   * Whether rows become sparse ones (default: no, unless the table holds sparse features): for categories of many
   * levels, each row of which is one entry. Methods that work with d x d numbers make up to 256 features dense
   * and refuse more.
   */
  sparse?: boolean;
  /** Which numbers the sparse features of a table have, from public knowledge; default: up to the largest there is. */
  entries?: FeatureNumbers;
}

const NAMES = namesOf<TableSchema>({
  task: true,
  person: true,
  weights: true,
  target: true,
  targetKind: true,
  features: true,
  kinds: true,
  schema: true,
  undeclared: true,
  missing: true,
  missingCodes: true,
  sparse: true,
  entries: true,
});

/** @throws TypeError or OptionError for what is no table, a member that is none, or one of another type. */
export function checkTableSchema(table: Table, request: TableSchema): void {
  checkNames("table schema", request, NAMES);
  const { missing = "refuse", undeclared = "number", features } = request;
  requireTable(table);
  if (features !== undefined && !Array.isArray(features)) {
    throw new TypeError(
      `table schema: features: expected an array of column names, got ${typeof features}`,
    );
  }
  oneOf("missing", missing, ["refuse", "impute", "center"]);
  oneOf("undeclared", undeclared, ["number", "auto"]);
}
