/**
 * Systems X^T D X + p I of one task's sparse rows X, for many D and p, part by part: columns that no row has together
 * have nothing to do with each other.
 * @module
 */
import { log } from "../../../../core/elementary.js";
import { ownZeros, type Zeros } from "./batch-room.js";
import type { CompactRows } from "./compact-rows.js";
import { factorColumns, factorRows, productsOfRows, writePart } from "./part-matrices.js";
import { solveBoth } from "./triangular-solves.js";

/** Columns that rows connect, at least two, and these rows. */
interface Part {
  readonly columns: Uint32Array;
  readonly rows: Uint32Array;
  /** X of these rows and columns, [rows, columns], where there are fewer columns than rows or as many. */
  readonly x: Float64Array;
  /** The lower triangle of X X^T, row by row, where there are fewer rows than columns. */
  readonly products: Float64Array | undefined;
  /** L of L L^T = X^T D X + p I, or of I + R X X^T R / p with R^2 = D; written by `factor`. */
  lower: Float64Array;
}

/** Cost of `factor`: k for columns that share no row, else a third of the cube of a part's rows or columns, the fewer. */
export class SparseSystem {
  readonly #rows: CompactRows;
  readonly #parts: readonly Part[];
  /** Columns that are in no part. */
  readonly #alone: Uint32Array;
  readonly #diagonal: Float64Array;
  /** Of the parts, room for what their rows or columns have. */
  readonly #inner: Float64Array;
  readonly #zeros: Zeros;
  readonly #roots: Float64Array;
  #p = 1;

  /** @param zeros where its arrays come from. */
  constructor(rows: CompactRows, zeros: Zeros = ownZeros) {
    this.#rows = rows;
    this.#zeros = zeros;
    this.#parts = partsOf(rows, zeros);
    const joined = new Uint8Array(rows.k);
    let most = 0;
    for (const { columns, rows: own, products } of this.#parts) {
      for (const column of columns) joined[column] = 1;
      most = Math.max(most, products ? own.length : columns.length);
    }
    this.#alone = zerosOf(joined);
    this.#inner = zeros(most);
    this.#diagonal = zeros(rows.k);
    this.#roots = zeros(rows.n);
  }

  /**
   * Takes D = diag(curvatures), all > 0, and p > 0.
   * @returns whether the matrix is positive definite in double precision.
   */
  factor(curvatures: Float64Array, p: number): boolean {
    const { starts, columns, values, n } = this.#rows;
    this.#p = p;
    for (let row = 0; row < n; row++) this.#roots[row] = Math.sqrt(curvatures[row]!);
    this.#diagonal.fill(p);
    for (let row = 0; row < n; row++) {
      for (let at = starts[row]!; at < starts[row + 1]!; at++) {
        this.#diagonal[columns[at]!]! += curvatures[row]! * values[at]! ** 2;
      }
    }
    const by = { roots: this.#roots, p };
    for (const part of this.#parts) {
      const { products, rows: own, x } = part;
      const size = products ? own.length : part.columns.length;
      if (part.lower.length === 0) part.lower = this.#zeros(size * size);
      try {
        if (products) factorRows(products, own, by, part.lower);
        else factorColumns({ x, rows: own, size }, by, part.lower);
      } catch (error) {
        if (error instanceof RangeError) return false;
        throw error;
      }
    }
    return true;
  }

  /** log det(X^T D X + p I) of the last D and p. */
  logDeterminant(): number {
    let all = 0;
    for (const column of this.#alone) all += log(this.#diagonal[column]!);
    for (const { products, rows, columns, lower } of this.#parts) {
      const size = products ? rows.length : columns.length;
      for (let i = 0; i < size; i++) all += 2 * log(lower[i * (size + 1)]!);
      if (products) all += columns.length * log(this.#p);
    }
    return all;
  }

  /** (X^T D X + p I)^-1 b, [k]. @param out room for it, or for more; not b. */
  solve(b: Float64Array, out: Float64Array = new Float64Array(this.#rows.k)): Float64Array {
    for (const column of this.#alone) out[column] = b[column]! / this.#diagonal[column]!;
    for (const part of this.#parts) {
      if (part.products) this.#throughRows(part, b, out);
      else throughColumns(part, b, out, this.#inner);
    }
    return out;
  }

  /** By (p I + X^T D X)^-1 = (I - X^T R (I + R X X^T R / p)^-1 R X / p) / p, of the entries that rows have. */
  #throughRows({ rows: own, columns: wanted, lower }: Part, b: Float64Array, out: Float64Array) {
    const { starts, columns, values } = this.#rows;
    const [roots, p, inner] = [this.#roots, this.#p, this.#inner];
    const square = p ** 2;
    for (let i = 0; i < own.length; i++) {
      const row = own[i]!;
      const end = starts[row + 1]!;
      let sum = 0;
      for (let at = starts[row]!; at < end; at++) sum += values[at]! * b[columns[at]!]!;
      inner[i] = roots[row]! * sum;
    }
    solveBoth(lower, inner, own.length);
    for (const column of wanted) out[column] = b[column]! / p;
    for (let i = 0; i < own.length; i++) {
      const row = own[i]!;
      const end = starts[row + 1]!;
      const factor = (roots[row]! * inner[i]!) / square;
      for (let at = starts[row]!; at < end; at++) out[columns[at]!]! -= factor * values[at]!;
    }
  }
}

function throughColumns(
  { lower, columns }: Part,
  b: Float64Array,
  out: Float64Array,
  own: Float64Array,
): void {
  const k = columns.length;
  for (let c = 0; c < k; c++) own[c] = b[columns[c]!]!;
  solveBoth(lower, own, k);
  for (let c = 0; c < k; c++) out[columns[c]!] = own[c]!;
}

/** Where marks are 0, ascending. */
function zerosOf(marks: Uint8Array): Uint32Array {
  const places = new Uint32Array(marks.length);
  let count = 0;
  for (let k = 0; k < marks.length; k++) if (marks[k] === 0) places[count++] = k;
  return places.slice(0, count);
}

/** The parts of two columns or more, by the least of their columns. */
function partsOf(all: CompactRows, zeros: Zeros): Part[] {
  const { starts, columns, n, k } = all;
  const parents = Uint32Array.from({ length: k }, (_, column) => column);
  const first = (column: number): number => {
    let at = column;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!;
    return at;
  };
  for (let row = 0; row < n; row++) {
    for (let at = starts[row]! + 1; at < starts[row + 1]!; at++) {
      const a = first(columns[at - 1]!);
      const b = first(columns[at]!);
      parents[Math.max(a, b)] = Math.min(a, b);
    }
  }
  const columnsOf = new Map<number, number[]>();
  for (let column = 0; column < k; column++) {
    const least = first(column);
    if (!columnsOf.has(least)) columnsOf.set(least, []);
    columnsOf.get(least)!.push(column);
  }
  const rowsOf = new Map<number, number[]>();
  for (let row = 0; row < n; row++) {
    if (starts[row] === starts[row + 1]) continue;
    const least = first(columns[starts[row]!]!);
    if (!rowsOf.has(least)) rowsOf.set(least, []);
    rowsOf.get(least)!.push(row);
  }
  const position = new Uint32Array(k);
  const several = [...columnsOf].filter(([, own]) => own.length > 1);
  return several.map(([least, own]) => {
    const size = own.length;
    const rows = Uint32Array.from(rowsOf.get(least)!);
    own.forEach((column, at) => (position[column] = at));
    const places = { rows, position, size };
    const none = new Float64Array(0);
    const part = { columns: Uint32Array.from(own), rows, lower: none };
    if (rows.length < size) {
      const lower = zeros((rows.length * (rows.length + 1)) / 2);
      return { ...part, x: none, products: productsOfRows(all, places, lower) };
    }
    const x = zeros(rows.length * size);
    writePart(all, places, x, false);
    return { ...part, x, products: undefined };
  });
}
