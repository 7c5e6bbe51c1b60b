/**
 * Householder reduction of a symmetric matrix to tridiagonal form, in panels.
 *
 * After Dongarra, Sorensen and Hammarling (1989), "Block reduction of matrices to condensed forms
 * for eigenvalue computations" (LAPACK dsytrd): the vectors v_l, w_l of a panel are kept, each new
 * row is corrected by them when its turn comes, and the rest of the matrix gets the whole panel's
 * update as one matrix product. Half of the work is that product, half are symmetric matrix-vector
 * products.
 *
 * Storage: rows `ld` entries apart, ld = n rounded up to a multiple of four, ld rows, the padding
 * zero. All loops run over whole groups of four; v_j has explicit zeros in the group before it.
 */
import { product, productWorkspace } from "../blas/gemm";
import { addRows, addSymmetricTimes, rowsTimes } from "../blas/rows";
import { SUBTRACT } from "../blas/tile";
import { dot } from "../blas/vector";
import { reflector } from "./householder";
import { combine, tridiagonaliseSmall, zeroFrom } from "./unblocked";

/** Reflectors of one panel. */
const PANEL: i32 = 32;
/** Up to this order, a matrix of 128 kB, panels do not pay. */
export const SMALL: i32 = 128;

/**
 * A = Q T Q^T, Q = H_0 H_1 .. H_{n-2}.
 *
 * a    f64[ld,ld], symmetric, both triangles; row j right of the diagonal is replaced by the vector
 *      of H_j, its leading 1 written out
 * d    f64[n], diagonal of T; e f64[n], off-diagonal of T, e[n-1] = 0; tau f64[n]
 * work `tridiagonaliseWorkspace(n)` bytes
 * Cost: 4 n^3 / 3 flops.
 */
export function tridiagonalise(
  a: usize,
  n: i32,
  ld: i32,
  d: usize,
  e: usize,
  tau: usize,
  work: usize,
): void {
  if (n <= SMALL) {
    tridiagonaliseSmall(a, n, ld, d, e, tau, work);
    return;
  }
  const step = (<usize>ld) << 3;
  const w = work;
  const coefficients = w + <usize>PANEL * step;
  const rest = coefficients + <usize>PANEL * 16;
  for (let first = 0; first < n - 1; first += PANEL) {
    const end = min(first + PANEL, n - 1);
    for (let j = first; j < end; j++) {
      const at = (<usize>j) << 3;
      correctRow(a, step, w, first, j, ld, coefficients);
      const row = a + <usize>j * step;
      store<f64>(d + at, load<f64>(row + at));
      store<f64>(e + at, reflector(row + at + 8, n - 1 - j, tau + at));
      const group = (j + 1) & ~3;
      zeroFrom(row, group, j + 1);
      const t = load<f64>(tau + at);
      makeW(a, step, w, first, j, ld, t, coefficients);
    }
    const last = (<usize>(n - 1)) << 3;
    if (end == n - 1) {
      // Only the last diagonal entry is left: it has had no turn of its own.
      correctRow(a, step, w, first, n - 1, ld, coefficients);
      store<f64>(d + last, load<f64>(a + <usize>(n - 1) * step + last));
      store<f64>(e + last, 0);
    } else {
      updateTrailing(a, step, w, first, ld, rest);
    }
  }
}

export function tridiagonaliseWorkspace(n: i32): f64 {
  const ld = (n + 3) & ~3;
  return 8 * (4 * <f64>PANEL * <f64>ld + 2 * <f64>PANEL) + productWorkspace(ld, 2 * PANEL, ld);
}

/** Row j of A -= sum_l v_l[j] w_l + w_l[j] v_l over the panel's reflectors so far. */
function correctRow(
  a: usize,
  step: usize,
  w: usize,
  first: i32,
  j: i32,
  ld: i32,
  coefficients: usize,
): void {
  const count = j - first;
  if (count == 0) return;
  const at = (<usize>j) << 3;
  const v = a + <usize>first * step;
  const second = coefficients + ((<usize>count) << 3);
  negatedColumn(w + at, step, count, coefficients);
  negatedColumn(v + at, step, count, second);
  const group = (<usize>(j & ~3)) << 3;
  const row = a + <usize>j * step + group;
  const length = ld - (j & ~3);
  addRows(v + group, step, count, coefficients, row, length);
  addRows(w + group, step, count, second, row, length);
}

function negatedColumn(from: usize, step: usize, count: i32, to: usize): void {
  for (const end = to + ((<usize>count) << 3); to < end; to += 8) {
    store<f64>(to, -load<f64>(from));
    from += step;
  }
}

/** w_j = tau p - (tau^2 p.v / 2) v with p = (A - V W^T - W V^T) v. */
function makeW(
  a: usize,
  step: usize,
  w: usize,
  first: i32,
  j: i32,
  ld: i32,
  t: f64,
  coefficients: usize,
): void {
  const count = j - first;
  const group = (j + 1) & ~3;
  const at = (<usize>group) << 3;
  const length = ld - group;
  const p = w + <usize>count * step;
  memory.fill(p + at, 0, (<usize>length) << 3);
  if (t == 0) return;
  const row = a + <usize>j * step;
  addSymmetricTimes(a + <usize>group * step + at, step, row + at, p + at, length);
  if (count > 0) {
    const v = a + <usize>first * step + at;
    const second = coefficients + ((<usize>count) << 3);
    rowsTimes(w + at, step, count, row + at, length, -1, coefficients);
    rowsTimes(v, step, count, row + at, length, -1, second);
    addRows(v, step, count, coefficients, p + at, length);
    addRows(w + at, step, count, second, p + at, length);
  }
  const beta = -0.5 * t * t * dot(p + at, row + at, length);
  combine(t, p + at, beta, row + at, length);
  zeroFrom(p, group, j + 1);
}

/** A -= V^T W + W^T V behind the panel, as one product of depth 2 PANEL. */
function updateTrailing(
  a: usize,
  step: usize,
  w: usize,
  first: i32,
  ld: i32,
  work: usize,
): void {
  const begin = first + PANEL;
  const size = ld - begin;
  const at = (<usize>begin) << 3;
  const bytes = (<usize>size) << 3;
  // [V; W] and [W; V]: rows of `size`, W in the middle of three blocks serves both.
  const block = <usize>PANEL * bytes;
  for (let l = 0; l < PANEL; l++) {
    const v = a + <usize>(first + l) * step + at;
    const to = work + <usize>l * bytes;
    memory.copy(to, v, bytes);
    memory.copy(to + block, w + <usize>l * step + at, bytes);
    memory.copy(to + 2 * block, v, bytes);
  }
  product(
    work,
    1,
    size,
    work + block,
    size,
    1,
    a + <usize>begin * step + at,
    ld,
    size,
    2 * PANEL,
    size,
    SUBTRACT,
    true,
    work + 3 * block,
  );
}
