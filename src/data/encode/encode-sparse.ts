/**
 * The features of a table's rows as sparse rows: a category of any number of levels is one entry.
 * @module
 */
import { dummiesOf } from "../columns/categorical.js";
import { encodeColumn, featureNamesOf, type ColumnEncoding } from "../columns/column-encoding.js";
import type { Groups } from "../table/groups.js";
import type { FeatureNumbers, SparseFeatures } from "../sparse/sparse-features.js";
import type { SparseRows } from "../sparse/sparse-rows.js";
import type { Table } from "../table/table.js";
import type { UnexpectedCounts } from "./unexpected-values.js";
import type { FeatureSources } from "./feature-sources.js";

/** What sparse features of a table are called where they are counted. */
const ENTRIES = "sparse features";

/** Hands out the entries of row `to` of the result, by ascending column. */
type Part = (to: number, add: (column: number, value: number) => void) => void;

/** The rows, in the order of `groups.rows`. */
export function encodeSparse(
  { columns, entries }: FeatureSources,
  table: Table,
  groups: Groups,
  counts: UnexpectedCounts,
): SparseRows {
  let at = 0;
  const parts = columns.map((encoding) => {
    const part = partOf(encoding, table, groups, counts, at);
    at += featureNamesOf(encoding).length;
    return part;
  });
  if (entries) parts.push(entriesOf(table.sparse!, entries, groups, counts, at));
  const n = groups.rows.length;
  const starts = new Uint32Array(n + 1);
  for (let to = 0; to < n; to++) {
    starts[to + 1] = starts[to]!;
    for (const part of parts) part(to, (_, value) => void (value !== 0 && starts[to + 1]!++));
  }
  const rows = {
    starts,
    columns: new Uint32Array(starts[n]!),
    values: new Float64Array(starts[n]!),
  };
  let next = 0;
  for (let to = 0; to < n; to++) {
    for (const part of parts) {
      part(to, (column, value) => {
        if (value === 0) return;
        rows.columns[next] = column;
        rows.values[next++] = value;
      });
    }
  }
  return rows;
}

/** The features of a column, the first of them in column `at`. */
function partOf(
  encoding: ColumnEncoding,
  table: Table,
  groups: Groups,
  counts: UnexpectedCounts,
  at: number,
): Part {
  if (encoding.kind === "category") {
    let found: Int32Array = new Int32Array(0);
    counts.of(encoding.column, ({ unseen }) => {
      found = dummiesOf(encoding, table, groups, unseen);
    });
    return (to, add) => {
      if (found[to]! >= 0) add(at + found[to]!, 1);
    };
  }
  const d = featureNamesOf(encoding).length;
  const out = new Float64Array(groups.rows.length * d);
  counts.of(encoding.column, (told) =>
    encodeColumn(encoding, table, groups, { out, d, at: 0 }, told),
  );
  return (to, add) => {
    for (let k = 0; k < d; k++) add(at + k, out[to * d + k]!);
  };
}

/** The features beside the columns; those of numbers that are not known are counted and left out. */
function entriesOf(
  { rows, first }: SparseFeatures,
  known: FeatureNumbers,
  groups: Groups,
  counts: UnexpectedCounts,
  at: number,
): Part {
  const { starts, columns, values } = rows;
  const shift = first - known.first;
  const inside = (column: number) => column >= 0 && column < known.count;
  counts.of(ENTRIES, ({ unseen }) => {
    let task = 0;
    groups.rows.forEach((row, to) => {
      while (groups.offsets[task + 1]! <= to) task++;
      for (let k = starts[row]!; k < starts[row + 1]!; k++) {
        if (!inside(columns[k]! + shift)) unseen(task);
      }
    });
  });
  return (to, add) => {
    const row = groups.rows[to]!;
    for (let k = starts[row]!; k < starts[row + 1]!; k++) {
      const column = columns[k]! + shift;
      if (inside(column)) add(at + column, values[k]!);
    }
  };
}
