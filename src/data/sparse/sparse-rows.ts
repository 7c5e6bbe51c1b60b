/**
 * Sparse rows: of every row only the entries that are not zero (compressed sparse rows, CSR).
 * @module
 */
import { DataError } from "../../core/errors.js";

/** A sparse matrix as most libraries have it (SciPy's `csr_matrix`): row j has the entries indptr[j] up to indptr[j + 1]. */
export interface SparseMatrix {
  /** n + 1 integers, from 0 up to the number of entries, never less than the one before. */
  readonly indptr: ArrayLike<number>;
  /** The column of every entry, from 0; in a row ascending, none twice. */
  readonly indices: ArrayLike<number>;
  /** The entries, finite numbers. */
  readonly values: ArrayLike<number>;
  /** [n, d]. */
  readonly shape: readonly [number, number];
}

/** The same of all rows of a set, held in the layout that the kernels read. */
export interface SparseRows {
  /** Uint32Array, shape [N + 1]. */
  readonly starts: Uint32Array;
  /** Uint32Array, a column for each entry. */
  readonly columns: Uint32Array;
  /** Float64Array, likewise. */
  readonly values: Float64Array;
}

/** Whether a task's features are given so. */
export function isSparse(x: unknown): x is SparseMatrix {
  return typeof x === "object" && x !== null && "indptr" in x;
}

/**
 * Checks a matrix from outside.
 * @param place how errors name it.
 * @throws DataError naming the row, or entry, that is not as expected.
 */
export function checkSparse({ indptr, indices, values, shape }: SparseMatrix, place: string): void {
  if (![indptr, indices, values].every((one) => typeof one?.length === "number")) {
    throw new DataError(`${place}: x: expected { indptr, indices, values, shape } of arrays.`);
  }
  if (!Array.isArray(shape) || shape.length !== 2 || !shape.every(isCount)) {
    throw new DataError(`${place}: x: shape: expected [rows, columns].`);
  }
  const [n, d] = shape;
  if (indptr.length !== n + 1 || indptr[0] !== 0 || indptr[n] !== values.length) {
    throw new DataError(
      `${place}: x: indptr: expected ${n + 1} integers from 0 to the number of entries, ${values.length}.`,
    );
  }
  if (indices.length !== values.length) {
    throw new DataError(
      `${place}: x: expected as many indices as values, got ${indices.length} and ${values.length}.`,
    );
  }
  for (let row = 0; row < n; row++) {
    const [from, to] = [indptr[row]!, indptr[row + 1]!];
    if (!isCount(to) || to < from || to > values.length) {
      throw new DataError(`${place}, row ${row}: x: indptr: expected an integer, ascending.`);
    }
    for (let k = from; k < to; k++) checkEntry(`${place}, row ${row}`, k, from, d, indices, values);
  }
}

function checkEntry(
  place: string,
  k: number,
  first: number,
  d: number,
  indices: ArrayLike<number>,
  values: ArrayLike<number>,
): void {
  const column = indices[k]!;
  if (!isCount(column) || column >= d || (k > first && column <= indices[k - 1]!)) {
    throw new DataError(
      `${place}: x: indices: expected columns below ${d}, ascending, none twice; entry ${k - first} is not.`,
    );
  }
  if (!Number.isFinite(values[k])) {
    throw new DataError(`${place}, column ${column}: expected a finite number.`);
  }
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

/** Matrices of the same width below each other. */
export function stackSparse(parts: readonly SparseMatrix[]): SparseRows {
  const entries = parts.reduce((sum, { values }) => sum + values.length, 0);
  const rows = parts.reduce((sum, { shape }) => sum + shape[0], 0);
  const starts = new Uint32Array(rows + 1);
  const columns = new Uint32Array(entries);
  const values = new Float64Array(entries);
  let [row, at] = [0, 0];
  for (const part of parts) {
    for (let j = 1; j <= part.shape[0]; j++) starts[++row] = at + part.indptr[j]!;
    columns.set(part.indices, at);
    values.set(part.values, at);
    at += part.values.length;
  }
  return { starts, columns, values };
}

/** These rows, in this order. */
export function takeSparse({ starts, columns, values }: SparseRows, rows: Uint32Array): SparseRows {
  const ends = new Uint32Array(rows.length + 1);
  rows.forEach((row, j) => (ends[j + 1] = ends[j]! + starts[row + 1]! - starts[row]!));
  const part = {
    starts: ends,
    columns: new Uint32Array(ends[rows.length]!),
    values: new Float64Array(ends[rows.length]!),
  };
  rows.forEach((row, j) => {
    const [from, to] = [starts[row]!, starts[row + 1]!];
    part.columns.set(columns.subarray(from, to), ends[j]!);
    part.values.set(values.subarray(from, to), ends[j]!);
  });
  return part;
}

/** The rows from `from` up to `to`; entries are views. */
export function sliceSparse(
  { starts, columns, values }: SparseRows,
  from: number,
  to: number,
): SparseRows {
  const [first, last] = [starts[from]!, starts[to]!];
  return {
    starts: starts.slice(from, to + 1).map((start) => start - first),
    columns: columns.subarray(first, last),
    values: values.subarray(first, last),
  };
}

/** Rows as a matrix of d columns for whoever takes one. */
export function sparseMatrix({ starts, columns, values }: SparseRows, d: number): SparseMatrix {
  return { indptr: starts, indices: columns, values, shape: [starts.length - 1, d] };
}

/** The same with one more column d that holds `value` in every row. */
export function withSparseColumn(rows: SparseRows, d: number, value: number): SparseRows {
  const n = rows.starts.length - 1;
  const starts = rows.starts.map((start, row) => start + row);
  const columns = new Uint32Array(rows.columns.length + n);
  const values = new Float64Array(rows.values.length + n);
  for (let row = 0; row < n; row++) {
    const [from, to] = [rows.starts[row]!, rows.starts[row + 1]!];
    columns.set(rows.columns.subarray(from, to), starts[row]!);
    values.set(rows.values.subarray(from, to), starts[row]!);
    columns[starts[row + 1]! - 1] = d;
    values[starts[row + 1]! - 1] = value;
  }
  return { starts, columns, values };
}

/**
 * Rows `from` up to `to` as dense ones, but only the columns that have an entry there: for what works on one task at a time.
 * @returns x[to - from, columns.length], and which columns these are, ascending.
 */
export function compactRows(
  { starts, columns, values }: SparseRows,
  from: number,
  to: number,
): { readonly x: Float64Array; readonly columns: Uint32Array } {
  const used = Uint32Array.from(new Set(columns.subarray(starts[from], starts[to]))).sort();
  const position = new Map(Array.from(used, (column, at) => [column, at]));
  const x = new Float64Array((to - from) * used.length);
  for (let row = from; row < to; row++) {
    for (let k = starts[row]!; k < starts[row + 1]!; k++) {
      x[(row - from) * used.length + position.get(columns[k]!)!] = values[k]!;
    }
  }
  return { x, columns: used };
}

/** Rows `from` up to `to` as dense ones, [to - from, d]. */
export function denseRows(rows: SparseRows, from: number, to: number, d: number): Float64Array {
  const x = new Float64Array((to - from) * d);
  for (let row = from; row < to; row++) {
    for (let k = rows.starts[row]!; k < rows.starts[row + 1]!; k++) {
      x[(row - from) * d + rows.columns[k]!] = rows.values[k]!;
    }
  }
  return x;
}
