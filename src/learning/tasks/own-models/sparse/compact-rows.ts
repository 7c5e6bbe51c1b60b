/**
 * Sparse rows of one task, of the columns that it uses, and their products with vectors. Where a product may be given room, it is
 * for who works with one task after the other: an array for each costs as much as the product.
 * @module
 */
import type { SparseRows } from "../../../../data/index.js";

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
  const own = columns.slice(first, last);
  const used = distinct(own);
  for (let at = 0; at < own.length; at++) own[at] = placeIn(used, own[at]!);
  const rows = {
    starts: starts.slice(from, to + 1).map((start) => start - first),
    columns: own,
    values: values.slice(first, last),
    n: to - from,
    k: used.length,
  };
  return { rows, used };
}

/** What is among these numbers, ascending. */
function distinct(values: Uint32Array): Uint32Array {
  const sorted = values.slice().sort();
  let count = 0;
  for (let at = 0; at < sorted.length; at++) {
    if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[count++] = sorted[at]!;
  }
  return sorted.slice(0, count);
}

/** Where a number is among ascending ones of which it is one. */
function placeIn(ascending: Uint32Array, value: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** X v + level, [n]. @param out room for it, or for more. */
export function times(
  { starts, columns, values, n }: CompactRows,
  v: Float64Array,
  level: number,
  out: Float64Array = new Float64Array(n),
) {
  for (let row = 0, at = starts[0]!; row < n; row++) {
    const end = starts[row + 1]!;
    let sum = level;
    for (; at < end; at++) sum += values[at]! * v[columns[at]!]!;
    out[row] = sum;
  }
  return out;
}

/** X^T r, [k]. @param out room for it, or for more. */
export function timesTransposed(
  { starts, columns, values, n, k }: CompactRows,
  r: Float64Array,
  out: Float64Array = new Float64Array(k),
) {
  for (let c = 0; c < k; c++) out[c] = 0;
  for (let row = 0, at = starts[0]!; row < n; row++) {
    const end = starts[row + 1]!;
    const factor = r[row]!;
    for (; at < end; at++) out[columns[at]!]! += values[at]! * factor;
  }
  return out;
}

/** The diagonal of X^T D X, [k]. @param out room for it, or for more. */
export function columnSquares(
  { starts, columns, values, n, k }: CompactRows,
  d: Float64Array,
  out: Float64Array = new Float64Array(k),
): Float64Array {
  for (let c = 0; c < k; c++) out[c] = 0;
  for (let row = 0; row < n; row++) {
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      out[columns[at]!]! += d[row]! * values[at]! ** 2;
    }
  }
  return out;
}

/** The entries of v[d] in these columns, [k]. @param out room for them, or for more. */
export function gathered(
  v: Float64Array,
  columns: Uint32Array,
  out: Float64Array = new Float64Array(columns.length),
): Float64Array {
  for (let c = 0; c < columns.length; c++) out[c] = v[columns[c]!]!;
  return out;
}

/** out[columns] += v, for v[k] and out[d]. */
export function addScattered(v: Float64Array, columns: Uint32Array, out: Float64Array): void {
  for (let c = 0; c < columns.length; c++) out[columns[c]!]! += v[c]!;
}
