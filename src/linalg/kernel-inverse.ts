/**
 * Inverses of small definite matrices by the kernels, for orders at which a call is worth its copies.
 * @module
 */
import { leaveCore, sharedCore } from "../core/core.js";
import { factor, invertLower, lowerGram } from "./small-matrices.js";

/** Orders from which a call pays. */
const LEAST_ORDER = 8;

/** Where inverses are left, [n, n] each: for one matrix after the other. */
export interface DefiniteInverse {
  /** L^-1, lower triangular with zeros above, L L^T being the matrix. */
  readonly root: Float64Array;
  /** Of the matrix, symmetric to the bit. */
  readonly inverse: Float64Array;
}

/** Room for matrices [n, n]. */
export function inverseRoom(n: number): DefiniteInverse {
  return { root: new Float64Array(n * n), inverse: new Float64Array(n * n) };
}

/**
 * The inverse of a symmetric positive definite A, and that of its factor: the bits of `invertLower(factor(a))` and `invertDefinite`, but
 * for the sign of a zero. Nothing of it stays in the kernels' memory.
 * @throws RangeError if A is not.
 */
export function definiteInverse(
  a: Float64Array,
  n: number,
  room: DefiniteInverse = inverseRoom(n),
): DefiniteInverse {
  const { root, inverse } = room;
  if (n < LEAST_ORDER) {
    invertLower(factor(a, n), n, root);
    lowerGram(root, n, inverse);
    return room;
  }
  const core = sharedCore();
  const { kernels, arena } = core;
  const from = arena.mark();
  try {
    const [matrix, left, right] = [arena.copyOf(a), arena.f64(n * n), arena.f64(n * n)];
    const work = arena.bytes(kernels.definiteInverseWorkspace(n));
    const code = kernels.definiteInverse(matrix, n, left, right, work);
    root.set(arena.view(left, n * n));
    inverse.set(arena.view(right, n * n));
    arena.wipe(from, arena.mark() - from);
    if (code !== 0) throw new RangeError("factor: expected a positive definite matrix");
    return room;
  } finally {
    leaveCore(core, from);
  }
}
