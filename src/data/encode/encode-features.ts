/**
 * The features of a table's rows as numbers, task by task, and what in them was not expected.
 * @module
 */
import { counted } from "../../core/counted.js";
import { DataError } from "../../core/errors.js";
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

/** Columns that are told of in one message. */
const MOST_TOLD = 5;

/** Of all columns that do not fit, a line each. */
function refusalText(refused: readonly string[]): string {
  const more = refused.length - MOST_TOLD;
  const rest = more > 0 ? [`Nor do cells of ${counted(more, "more column")} fit.`] : [];
  return [...refused.slice(0, MOST_TOLD), ...rest].join("\n");
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
      ...{ ...groups, sparse, featureNames, unexpected: counts.found },
      get x() {
        return dense();
      },
    };
  }
  const d = featureNames.length;
  const out = new Float64Array(groups.rows.length * d);
  let at = 0;
  const refused: string[] = [];
  for (const encoding of columns) {
    try {
      counts.of(encoding.column, (told) =>
        encodeColumn(encoding, table, groups, { out, d, at }, told),
      );
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      refused.push(error.message);
    }
    at += featureNamesOf(encoding).length;
  }
  if (refused.length > 0) throw new DataError(refusalText(refused));
  return { ...groups, x: out, sparse: undefined, featureNames, unexpected: counts.found };
}
