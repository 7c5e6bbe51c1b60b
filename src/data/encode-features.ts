/**
 * The features of a table's rows as numbers, task by task, and what in them was not expected.
 * @module
 */
import { encodeColumn, featureNamesOf, type ColumnEncoding } from "./column-encoding.js";
import type { Groups } from "./groups.js";
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
  /** Float64Array, shape [N, d], row-major, in the order of `rows`. */
  readonly x: Float64Array;
  /** d names. */
  readonly featureNames: readonly string[];
  /** By task and column; only where there were any. */
  readonly unexpected: readonly UnexpectedValues[];
}

/** Encodes the columns of the rows of a grouping, in the order of `groups.rows`. */
export function encodeFeatures(
  columns: readonly ColumnEncoding[],
  table: Table,
  groups: Groups,
): EncodedFeatures {
  const featureNames = columns.flatMap(featureNamesOf);
  const d = featureNames.length;
  const out = new Float64Array(groups.rows.length * d);
  const unexpected: UnexpectedValues[] = [];
  let at = 0;
  for (const encoding of columns) {
    const counts = groups.names.map(() => ({ clipped: 0, unseen: 0 }));
    encodeColumn(
      encoding,
      table,
      groups,
      { out, d, at },
      {
        clipped: (task) => counts[task]!.clipped++,
        unseen: (task) => counts[task]!.unseen++,
      },
    );
    counts.forEach((count, i) => {
      if (count.clipped + count.unseen === 0) return;
      unexpected.push({ task: groups.names[i]!, column: encoding.column, ...count });
    });
    at += featureNamesOf(encoding).length;
  }
  return { ...groups, x: out, featureNames, unexpected };
}
