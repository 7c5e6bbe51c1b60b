/**
 * The way in: a matrix is a row-major Float64Array with its sizes beside it, copied into the kernels'
 * memory and looked at there, at the speed of memory.
 * @module
 */
import { float64Array, integer } from "../core/checks.js";
import type { Core } from "../core/core.js";
import type { Pointer } from "../core/kernels/pointer.js";

/** Rows and columns small enough that byte counts stay exact integers. */
const MAX_SIZE = 2 ** 24;

/** A size from 1 up. */
export function size(name: string, value: number): number {
  return integer(name, value, 1, MAX_SIZE);
}

/** A row-major matrix of rows x cols entries; {@link copyMatrix} looks at them. */
export function matrix(name: string, a: Float64Array, rows: number, cols: number): void {
  float64Array(name, a);
  if (a.length !== rows * cols) {
    throw new RangeError(
      `${name}: expected ${rows} x ${cols} = ${rows * cols} entries, got ${a.length}`,
    );
  }
}

/**
 * A copy for the kernels of a matrix with `cols` columns.
 * @throws RangeError naming the first entry that is not finite.
 */
export function copyMatrix(core: Core, name: string, a: Float64Array, cols: number): Pointer {
  const copy = core.arena.copyOf(a);
  const at = core.kernels.firstNonFinite(copy, a.length);
  if (at < a.length) {
    throw new RangeError(
      `${name}: expected finite entries, row ${Math.floor(at / cols)} column ${at % cols} is not`,
    );
  }
  return copy;
}

/** Asymmetry allowed, relative to the largest entry: what rounding in forming A may leave. */
const ASYMMETRY = 1e-12;

/**
 * A copy for the kernels of (A + A^T) / 2, so that no kernel's choice of a triangle shows.
 * @throws RangeError as {@link copyMatrix}, or if A is not symmetric to 1e-12 of its largest entry,
 *   naming the pair that differs most.
 */
export function copySymmetric(core: Core, a: Float64Array, n: number): Pointer {
  const copy = copyMatrix(core, "a", a, n);
  if (core.kernels.symmetrize(copy, n) <= ASYMMETRY) return copy;
  const { row, column } = furthestApart(a, n);
  throw new RangeError(
    `a: expected a symmetric matrix, row ${row} column ${column} differs from row ${column} ` +
      `column ${row}. Pass (A + A^T) / 2 if that is what is meant.`,
  );
}

function furthestApart(a: Float64Array, n: number): { row: number; column: number } {
  let furthest = { row: 0, column: 0, half: 0 };
  for (let row = 0; row < n; row++) {
    for (let column = row + 1; column < n; column++) {
      const half = Math.abs(a[row * n + column]! / 2 - a[column * n + row]! / 2);
      if (half > furthest.half) furthest = { row, column, half };
    }
  }
  return furthest;
}
