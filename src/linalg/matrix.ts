/**
 * Checks shared by the entry points: a matrix is a row-major Float64Array with its sizes beside it.
 * @module
 */
import type { Arena } from "../core/arena.js";
import { finiteArray, integer } from "../core/checks.js";
import type { Pointer } from "../core/kernels.js";

/** Rows and columns small enough that byte counts stay exact integers. */
const MAX_SIZE = 2 ** 24;

/** A size from 1 up. */
export function size(name: string, value: number): number {
  return integer(name, value, 1, MAX_SIZE);
}

/** A row-major matrix of exactly rows x cols finite entries. */
export function matrix(name: string, a: Float64Array, rows: number, cols: number): Float64Array {
  try {
    return finiteArray(name, a, rows * cols);
  } catch (error) {
    throw locate(error, name, a, rows, cols);
  }
}

/** Says row and column where `finiteArray` can only say which entry. */
function locate(error: unknown, name: string, a: unknown, rows: number, cols: number): unknown {
  if (!(error instanceof RangeError) || !(a instanceof Float64Array)) return error;
  if (a.length !== rows * cols) {
    return new RangeError(
      `${name}: expected ${rows} x ${cols} = ${rows * cols} entries, got ${a.length}`,
    );
  }
  const at = a.findIndex((entry) => !Number.isFinite(entry));
  return new RangeError(
    `${name}: expected finite entries, row ${Math.floor(at / cols)} column ${at % cols} is not`,
  );
}

/** Asymmetry allowed, relative to the largest entry: what rounding in forming A may leave. */
const ASYMMETRY = 1e-12;

/**
 * A symmetric n x n matrix.
 * @throws RangeError naming the first pair that differs by more than 1e-12 of the largest entry.
 */
export function symmetricMatrix(name: string, a: Float64Array, n: number): Float64Array {
  matrix(name, a, n, n);
  const largest = a.reduce((top, entry) => Math.max(top, Math.abs(entry)), 0);
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      // Halved, because the difference of two entries near the largest double overflows.
      if (Math.abs(a[i * n + j] / 2 - a[j * n + i] / 2) > (ASYMMETRY / 2) * largest) {
        throw new RangeError(
          `${name}: expected a symmetric matrix, row ${i} column ${j} differs from row ${j} ` +
            `column ${i}. Pass (A + A^T) / 2 if that is what is meant.`,
        );
      }
    }
  }
  return a;
}

/** A copy in which both triangles hold the average of the two, so that no kernel's choice shows. */
export function copySymmetric(arena: Arena, a: Float64Array, n: number): Pointer {
  const at = arena.copyOf(a);
  const copy = arena.view(at, n * n);
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const upper = a[i * n + j];
      const lower = a[j * n + i];
      if (upper !== lower) copy[i * n + j] = copy[j * n + i] = upper / 2 + lower / 2;
    }
  }
  return at;
}
