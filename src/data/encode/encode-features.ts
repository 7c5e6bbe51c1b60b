/**
 * The features of a table's rows as numbers, task by task, and what in them was not expected.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { Refusals } from "../../core/messages/refusals.js";
import { encodeColumn, featureNamesOf } from "../columns/column-encoding.js";
import { encodeSparse } from "./encode-sparse.js";
import type { Groups } from "../table/groups.js";
import { numberedNames, requireSame } from "../sparse/sparse-features.js";
import type { SparseRows } from "../sparse/sparse-rows.js";
import type { Table } from "../table/table.js";
import { type UnexpectedValues, UnexpectedCounts } from "./unexpected-values.js";
import type { FeatureSources } from "./feature-sources.js";

/** The features of a table, task by task. */
export interface EncodedFeatures extends Groups {
  /**
   * Float64Array, shape [N, d], row-major, in the order of `rows`.
   * @throws DataError where the rows are sparse.
   */
  readonly x: Float64Array;
  /** The rows, in the place of x, where they are sparse. */
  readonly sparse: SparseRows | undefined;
  /** d names. */
  readonly featureNames: readonly string[];
  /** By task and column; only where there were any. */
  readonly unexpected: readonly UnexpectedValues[];
}

/** Names of the features. */
export function namesOfFeatures({ columns, entries }: FeatureSources): string[] {
  return [...columns.flatMap(featureNamesOf), ...(entries ? numberedNames(entries) : [])];
}

/** Encodes the rows of a grouping, in the order of `groups.rows`. */
export function encodeFeatures(
  sources: FeatureSources,
  table: Table,
  groups: Groups,
): EncodedFeatures {
  const { columns, entries } = sources;
  requireSame(table.name, table.sparse, entries);
  const featureNames = namesOfFeatures(sources);
  const counts = new UnexpectedCounts(groups.names);
  if (sources.sparse || entries) {
    const sparse = encodeSparse(sources, table, groups, counts);
    const dense = (): never => {
      throw new DataError(
        `${table.name}: its rows are sparse; take them as \`sparse\`, in the place of x.`,
      );
    };
    return {
      ...groups,
      sparse,
      featureNames,
      unexpected: counts.found,
      get x() {
        return dense();
      },
    };
  }
  const d = featureNames.length;
  const out = new Float64Array(groups.rows.length * d);
  let at = 0;
  const refusals = new Refusals();
  for (const encoding of columns) {
    refusals.of(() =>
      counts.of(encoding.column, (told) =>
        encodeColumn(encoding, table, groups, { out, d, at }, told),
      ),
    );
    at += featureNamesOf(encoding).length;
  }
  refusals.throwAny();
  return { ...groups, x: out, sparse: undefined, featureNames, unexpected: counts.found };
}
