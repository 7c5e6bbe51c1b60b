/**
 * Small matrices of a task's sparse rows, formed and factored where the kernels work: a fit has thousands of them, and arrays made for
 * each would set off collections of everything.
 * @module
 */
import { leaveCore, sharedCore, type Core } from "../../../../core/core.js";
import type { Pointer } from "../../../../core/kernels/pointer.js";
import type { CompactRows } from "./compact-rows.js";

/** Rows of a task's, by their numbers, and columns as they stand in a part. */
export interface PartPlaces {
  readonly rows: Uint32Array;
  /** Place of each column of the task within the part, of those that are in it. */
  readonly position: Uint32Array;
  /** Columns of the part. */
  readonly size: number;
}

/** Writes the rows of a part into X[rows, size] of zeros, or into its transpose. */
export function writePart(
  { starts, columns, values }: CompactRows,
  { rows, position, size }: PartPlaces,
  x: Float64Array,
  isTransposed: boolean,
): void {
  const down = isTransposed ? 1 : size;
  const along = isTransposed ? rows.length : 1;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const end = starts[row + 1]!;
    for (let at = starts[row]!; at < end; at++) {
      x[i * down + position[columns[at]!]! * along] = values[at]!;
    }
  }
}

/**
 * The lower triangle of X X^T, row by row, of the rows of a part.
 * @param lower room for it.
 * @throws RangeError if an entry is not finite; HostError if there is no room for X.
 */
export function productsOfRows(
  rows: CompactRows,
  places: PartPlaces,
  lower: Float64Array,
): Float64Array {
  const core = sharedCore();
  const mark = core.arena.mark();
  try {
    const { arena } = core;
    const n = places.rows.length;
    const room = productRoom(core, places.size, n);
    writePart(rows, places, arena.view(room.factors, places.size * n), true);
    multiply(core, room, places.size, n);
    const square = arena.view(room.out, n * n);
    for (let i = 0, at = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) lower[at++] = square[i * n + j]!;
    }
    return lower;
  } finally {
    leaveCore(core, mark);
  }
}

/**
 * L of L L^T = X^T R^2 X + p I.
 * @param x     [rows, size].
 * @param rows  whose roots are meant.
 * @param roots the diagonal of R for every row of the task.
 * @param room  for L, [size, size].
 * @throws RangeError if the matrix is not positive definite in double precision; HostError as {@link productsOfRows}.
 */
export function factorColumns(
  {
    x,
    rows,
    size,
  }: { readonly x: Float64Array; readonly rows: Uint32Array; readonly size: number },
  { roots, p }: { readonly roots: Float64Array; readonly p: number },
  room: Float64Array,
): void {
  const core = sharedCore();
  const mark = core.arena.mark();
  try {
    const { arena } = core;
    const own = productRoom(core, rows.length, size);
    const scaled = arena.view(own.factors, x.length);
    for (let i = 0; i < rows.length; i++) {
      const root = roots[rows[i]!]!;
      for (let at = i * size; at < (i + 1) * size; at++) scaled[at] = root * x[at]!;
    }
    multiply(core, own, rows.length, size);
    const square = arena.view(own.out, size * size);
    for (let c = 0; c < size; c++) square[c * (size + 1)]! += p;
    factorAt(core, own.out, size, room);
  } finally {
    leaveCore(core, mark);
  }
}

/**
 * L of L L^T = I + R X X^T R / p.
 * @param products the lower triangle of X X^T, row by row.
 * @param rows, roots, room and errors as of {@link factorColumns}; L is [rows, rows].
 */
export function factorRows(
  products: Float64Array,
  rows: Uint32Array,
  { roots, p }: { readonly roots: Float64Array; readonly p: number },
  room: Float64Array,
): void {
  const core = sharedCore();
  const mark = core.arena.mark();
  try {
    const { arena } = core;
    const n = rows.length;
    arena.require(8 * n * n, "a task's system");
    const out = arena.f64(n * n);
    const matrix = arena.view(out, n * n);
    for (let i = 0, at = 0; i < n; i++) {
      const factor = roots[rows[i]!]! / p;
      for (let j = 0; j <= i; j++) {
        const value = factor * roots[rows[j]!]! * products[at++]!;
        matrix[i * n + j] = matrix[j * n + i] = value + (i === j ? 1 : 0);
      }
    }
    factorAt(core, out, n, room);
  } finally {
    leaveCore(core, mark);
  }
}

/** Where A[rows, n] of a product A^T A lies, zeros, and its result. */
interface ProductRoom {
  readonly factors: Pointer;
  readonly out: Pointer;
  readonly work: Pointer;
}

function productRoom({ arena, kernels }: Core, rows: number, n: number): ProductRoom {
  const workspace = kernels.syrkWorkspace(rows, n);
  arena.require(8 * (rows * n + n * n) + workspace, "products of a task's rows");
  return { factors: arena.zeros(rows * n), out: arena.f64(n * n), work: arena.bytes(workspace) };
}

function multiply(core: Core, { factors, out, work }: ProductRoom, rows: number, n: number): void {
  requireFinite(core, factors, rows * n);
  core.kernels.syrk(factors, out, rows, n, work);
}

function factorAt(core: Core, at: Pointer, n: number, room: Float64Array): void {
  requireFinite(core, at, n * n);
  const failed = core.kernels.cholesky(at, n);
  if (failed !== 0) {
    throw new RangeError(
      `a task's rows: expected a positive definite matrix, pivot ${failed} of ${n} is not positive`,
    );
  }
  room.set(core.arena.view(at, n * n));
}

function requireFinite({ kernels }: Core, at: Pointer, n: number): void {
  if (kernels.firstNonFinite(at, n) < n) {
    throw new RangeError("a task's rows: expected products that are finite numbers");
  }
}
