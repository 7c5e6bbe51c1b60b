/**
 * The features of a table's rows as numbers, task by task, and what in them was not expected.
 * @module
 */
import { DataError } from "../core/errors.js";
import { encodeColumn, featureNamesOf, type ColumnEncoding } from "./column-encoding.js";
import { encodeSparse } from "./encode-sparse.js";
import type { Groups } from "./groups.js";
import { numberedNames, requireSame, type FeatureNumbers } from "./sparse-features.js";
import type { SparseRows } from "./sparse-rows.js";
import type { Table } from "./table.js";

/** Values that an encoding did not expect, of one task: for its owner, since no budget paid for them. */
export interface UnexpectedValues {
  readonly task: string;
  readonly column: string;
  /** Numbers outside the declared range, which were clipped. */
  readonly clipped: number;
  /** Categories that are none of the levels, which became zeros. */
  readonly unseen: number;
}

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

/** What makes the features of a table. */
export interface FeatureSources {
  readonly columns: readonly ColumnEncoding[];
  /** Whether rows become sparse ones, as they do with `entries`. */
  readonly sparse?: boolean;
  /** The features that the table holds beside its columns; they come after those of the columns. */
  readonly entries?: FeatureNumbers;
}

/** Values that were not expected, by column and the task's position. */
export class UnexpectedCounts {
  readonly #names: readonly string[];
  readonly found: UnexpectedValues[] = [];

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Counts while a column is encoded. */
  of(
    column: string,
    encode: (told: {
      readonly clipped: (task: number) => void;
      readonly unseen: (task: number) => void;
    }) => void,
  ): void {
    const counts = new Map<number, { clipped: number; unseen: number }>();
    const count = (task: number, what: "clipped" | "unseen") => {
      const own = counts.get(task) ?? { clipped: 0, unseen: 0 };
      own[what]++;
      counts.set(task, own);
    };
    encode({
      clipped: (task) => count(task, "clipped"),
      unseen: (task) => count(task, "unseen"),
    });
    const inOrder = [...counts].sort(([one], [other]) => one - other);
    for (const [i, own] of inOrder) this.found.push({ task: this.#names[i]!, column, ...own });
  }
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
      ...{ ...groups, sparse, featureNames, unexpected: counts.found },
      get x() {
        return dense();
      },
    };
  }
  const d = featureNames.length;
  const out = new Float64Array(groups.rows.length * d);
  let at = 0;
  for (const encoding of columns) {
    counts.of(encoding.column, (told) =>
      encodeColumn(encoding, table, groups, { out, d, at }, told),
    );
    at += featureNamesOf(encoding).length;
  }
  return { ...groups, x: out, sparse: undefined, featureNames, unexpected: counts.found };
}
