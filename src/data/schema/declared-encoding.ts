/**
 * What a declared column becomes, known before there is a table: its features, and how its values are brought to them.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { categoryEncoding } from "../columns/categorical.js";
import {
  featureNamesOf,
  isPerTask,
  type CategoryKind,
  type ColumnEncoding,
  type NumberKind,
} from "../columns/column-encoding.js";
import { numberEncoding } from "../columns/number-column.js";
import { isUnused, type DataSchema } from "./schema.js";

/** A column of a schema that is a feature, or several. */
export interface DeclaredColumn {
  readonly column: string;
  readonly encoding: ColumnEncoding;
  /** Names of its features, in order. */
  readonly features: readonly string[];
}

/**
 * The columns of a schema that are features, in its order. What a column does not say of missing values is taken as "refuse".
 * @throws DataError naming a category without levels, or a declaration that no table would fit.
 */
export function declaredColumns({ columns }: DataSchema): DeclaredColumn[] {
  return Object.entries(columns).flatMap(([column, declared]) => {
    if (isUnused(declared)) return [];
    const encoding = declaredEncoding(column, declared);
    return [{ column, encoding, features: featureNamesOf(encoding) }];
  });
}

function declaredEncoding(column: string, declared: NumberKind | CategoryKind): ColumnEncoding {
  const pooled = declared.declared === false;
  const perTask = isPerTask(declared);
  if (declared.kind === "number") {
    const { range, unit, outside, missing = "refuse" } = declared;
    return numberEncoding(column, { range, unit, outside, missing, pooled, perTask });
  }
  const { kind, levels, unseen = "refuse", missing = "refuse" } = declared;
  if (!levels) throw new DataError(`column ${JSON.stringify(column)}: expected its levels.`);
  const binary = kind === "binary";
  return categoryEncoding(column, levels, { binary, unseen, missing, pooled, perTask });
}
