/**
 * Sparse rows of one task, of the columns that it uses, and their products with vectors.
 * @module
 */
import type { SparseRows } from "../../../data/index.js";

/** Sparse rows with columns 0 to k - 1, each of which has an entry. */
export interface CompactRows {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float64Array;
  readonly n: number;
  readonly k: number;
}

/** Rows `from` up to `to`, copied, and which columns they use, ascending. */
export function compactOf(
  { starts, columns, values }: SparseRows,
  from: number,
  to: number,
): { readonly rows: CompactRows; readonly used: Uint32Array } {
  const [first, last] = [starts[from]!, starts[to]!];
  const used = Uint32Array.from(new Set(columns.subarray(first, last))).sort();
  const position = new Map(Array.from(used, (column, at) => [column, at]));
  const rows = {
    starts: starts.slice(from, to + 1).map((start) => start - first),
    columns: columns.slice(first, last).map((column) => position.get(column)!),
    values: values.slice(first, last),
    n: to - from,
    k: used.length,
  };
  return { rows, used };
}

/** X v + level, [n]. */
export function times({ starts, columns, values, n }: CompactRows, v: Float64Array, level: number) {
  const out = new Float64Array(n);
  for (let row = 0; row < n; row++) {
    let sum = level;
    for (let at = starts[row]!; at < starts[row + 1]!; at++) sum += values[at]! * v[columns[at]!]!;
    out[row] = sum;
  }
  return out;
}

/** X^T r, [k]. */
export function timesTransposed({ starts, columns, values, n, k }: CompactRows, r: Float64Array) {
  const out = new Float64Array(k);
  for (let row = 0; row < n; row++) {
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      out[columns[at]!]! += values[at]! * r[row]!;
    }
  }
  return out;
}

/** The diagonal of X^T D X, [k]. */
export function columnSquares(
  { starts, columns, values, n, k }: CompactRows,
  d: Float64Array,
): Float64Array {
  const out = new Float64Array(k);
  for (let row = 0; row < n; row++) {
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      out[columns[at]!]! += d[row]! * values[at]! ** 2;
    }
  }
  return out;
}

/** The entries of v[d] in these columns, [k]. */
export function gathered(v: Float64Array, columns: Uint32Array): Float64Array {
  const out = new Float64Array(columns.length);
  for (let c = 0; c < columns.length; c++) out[c] = v[columns[c]!]!;
  return out;
}

/** out[columns] += factor v, for v[k] and out[d]. */
export function addScattered(
  factor: number,
  v: Float64Array,
  columns: Uint32Array,
  out: Float64Array,
): void {
  for (let c = 0; c < columns.length; c++) out[columns[c]!]! += factor * v[c]!;
}
