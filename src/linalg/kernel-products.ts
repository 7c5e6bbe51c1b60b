/**
 * Products of small matrices by the kernels, for orders at which a call is worth its copies.
 * @module
 */
import { allFinite } from "../core/all-finite.js";
import { leaveCore, sharedCore, type Core } from "../core/core.js";
import { packedTriangle, triangle } from "./packed-symmetric.js";
import { multiply, symmetric, transpose } from "./small-matrices.js";

/** Multiplications from which a call pays. */
const LEAST_WORK = 2 ** 12;
/** Terms up to which the kernels take a sum in one go, in the order of `multiply`. */
const MOST_TERMS = 256;

/**
 * A B for A[rows, inner] and B[inner, cols]: the bits of `multiply`, but for the sign of a zero. Nothing of it stays in the kernels'
 * memory.
 * @param out where it goes, [rows, cols].
 */
export function product(
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  cols: number,
  out: Float64Array = new Float64Array(rows * cols),
): Float64Array {
  if (rows * inner * cols < LEAST_WORK || inner > MOST_TERMS) {
    return multiply(a, b, rows, inner, cols, out);
  }
  const core = sharedCore();
  const { kernels, arena } = core;
  const from = arena.mark();
  try {
    const left = arena.copyOf(a);
    const right = arena.copyOf(b);
    const into = arena.f64(rows * cols);
    const work = arena.bytes(kernels.gemmWorkspace(rows, inner, cols));
    kernels.gemm(left, right, into, rows, inner, cols, work);
    out.set(arena.view(into, rows * cols));
    arena.wipe(from, arena.mark() - from);
  } finally {
    leaveCore(core, from);
  }
  // `multiply` passes over terms with a factor 0, whatever the other is.
  return allFinite(out) ? out : multiply(a, b, rows, inner, cols, out);
}

/**
 * B A B^T for symmetric A[n, n] and B[rows, n], symmetric to the bit: the bits of `multiply`, but for the sign of a zero and numbers too
 * small to be normal. Nothing of it stays in the kernels' memory.
 */
export function congruence(
  b: Float64Array,
  a: Float64Array,
  rows: number,
  n: number,
): Float64Array {
  if (rows * n * Math.min(rows, n) >= LEAST_WORK && n <= MOST_TERMS) {
    const core = sharedCore();
    const from = core.arena.mark();
    try {
      const out = congruenceByKernels(core, b, a, rows, n);
      if (allFinite(out)) return out;
    } finally {
      leaveCore(core, from);
    }
  }
  return symmetric(product(product(b, a, rows, n, n), transpose(b, rows, n), rows, n, rows), rows);
}

/** The lower triangle of L A L^T, row by row, for lower triangular L[n, n] and symmetric A: the bits of `congruence`, without its zeros. */
export function triangularCongruence(l: Float64Array, a: Float64Array, n: number): Float64Array {
  if (n * n * n >= LEAST_WORK) return packedTriangle(congruence(l, a, n, n), n);
  const half = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k <= i; k++) sum += l[i * n + k]! * a[k * n + j]!;
      half[i * n + j] = sum;
    }
  }
  /** Of row i of L A and row j of L. */
  const along = (i: number, j: number): number => {
    let sum = 0;
    for (let k = 0; k <= j; k++) sum += half[i * n + k]! * l[j * n + k]!;
    return sum;
  };
  const out = new Float64Array(triangle(n));
  for (let i = 0, at = 0; i < n; i++)
    for (let j = 0; j <= i; j++) out[at++] = (along(i, j) + along(j, i)) / 2;
  return out;
}

/** Both products without a copy between them. */
function congruenceByKernels(
  { kernels, arena }: Core,
  b: Float64Array,
  a: Float64Array,
  rows: number,
  n: number,
): Float64Array {
  const from = arena.mark();
  const [left, middle] = [arena.copyOf(b), arena.copyOf(a)];
  const [half, right, into] = [arena.f64(rows * n), arena.f64(n * rows), arena.f64(rows * rows)];
  const first = kernels.gemmWorkspace(rows, n, n);
  const work = arena.bytes(Math.max(first, kernels.gemmWorkspace(rows, n, rows)));
  kernels.gemm(left, middle, half, rows, n, n, work);
  kernels.transpose(left, right, rows, n);
  kernels.gemm(half, right, into, rows, n, rows, work);
  kernels.symmetrize(into, rows);
  const out = arena.view(into, rows * rows).slice();
  arena.wipe(from, arena.mark() - from);
  return out;
}
