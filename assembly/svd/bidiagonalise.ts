/**
 * Householder reduction of a square matrix to lower bidiagonal form, in panels.
 *
 * After Dongarra, Sorensen and Hammarling (1989), "Block reduction of matrices to condensed forms
 * for eigenvalue computations" (LAPACK dgebrd): with the panel's vectors v_l (from the left), u_l
 * (from the right) and x_l, y_l the matrix is A - V^T Y - X^T U; rows and columns are corrected
 * when their turn comes, and the rest gets the whole panel's update as one matrix product. Half of
 * the work is that product, half are products of the matrix with vectors, A u and A^T v. Both take
 * one pass over A, since v is a multiple of A u and known vectors but for its first entry (after
 * Howell, Demmel, Fulton, Hammarling and Marmol 2008, "Cache efficient bidiagonalization").
 *
 * Storage as in tridiagonalise: rows `ld` entries apart, ld = n rounded up to a multiple of four,
 * ld rows, the padding zero; all loops run over whole groups of four, and every vector has explicit
 * zeros in the group before its first entry.
 */
import { addFour } from "../blas/add-four";
import { product, productWorkspace } from "../blas/gemm";
import { addRows, rowsTimes } from "../blas/rows";
import { SUBTRACT } from "../blas/tile";
import { addScaled, scale } from "../blas/vector";
import { reflector } from "../eigen/householder";

/** Pairs of reflectors of one panel. */
const PANEL: i32 = 32;

// The matrix at work and its panel; kernels run one at a time.
let a: usize = 0;
let step: usize = 0;
let ld: i32 = 0;
let left: usize = 0; // rows v
let first: i32 = 0; // of the panel
let xs: usize = 0; // f64[PANEL,ld], as the next
let ys: usize = 0;
let coefficients: usize = 0; // f64[2 PANEL]

/**
 * A = Q B P^T, Q = H_0 .. H_{n-2} and P = K_0 .. K_{n-1}; B has diagonal d, e below it.
 *
 * matrix    f64[ld,ld]; row j from column j on is replaced by the vector of K_j
 * reflected f64[ld,ld]: row j from column j + 1 on <- the vector of H_j
 * d, e, tauRight, tauLeft f64[n]; e[n-1] = tauLeft[n-1] = 0
 * work      `bidiagonaliseWorkspace(n)` bytes
 * Cost: 8 n^3 / 3 flops.
 */
export function bidiagonalise(
  matrix: usize,
  n: i32,
  leading: i32,
  reflected: usize,
  d: usize,
  e: usize,
  tauRight: usize,
  tauLeft: usize,
  work: usize,
): void {
  a = matrix;
  ld = leading;
  step = (<usize>ld) << 3;
  left = reflected;
  xs = work;
  ys = xs + <usize>PANEL * step;
  coefficients = ys + <usize>PANEL * step;
  const rest = coefficients + <usize>PANEL * 16;
  for (first = 0; first < n; first += PANEL) {
    const end = min(first + PANEL, n);
    for (let j = first; j < end; j++) {
      const at = (<usize>j) << 3;
      const row = a + <usize>j * step;
      correctRow(row, j);
      store<f64>(d + at, reflector(row + at, n - j, tauRight + at));
      zeroFrom(row, j & ~3, j);
      const v = left + <usize>j * step;
      if (j == n - 1) {
        memory.fill(v, 0, step);
        store<f64>(e + at, 0);
        store<f64>(tauLeft + at, 0);
        break;
      }
      const shift = <usize>(j - first) * step;
      const x = xs + shift;
      const y = ys + shift;
      prepare(row, x, v, j);
      bothProducts(row, x, v, y, j, load<f64>(tauRight + at));
      const head = load<f64>(v + at + 8);
      const beta = reflector(v + at + 8, n - 1 - j, tauLeft + at);
      store<f64>(e + at, beta);
      finishY(v, y, j, load<f64>(tauLeft + at), beta, head - beta);
    }
    if (end < n) updateTrailing(rest);
  }
}

export function bidiagonaliseWorkspace(n: i32): f64 {
  const rows = <f64>((n + 3) & ~3);
  return 8 * (6 * <f64>PANEL * rows + 2 * <f64>PANEL) + productWorkspace(n + 3, 2 * PANEL, n + 3);
}

/** Zeros entries from..to-1 of a row. */
function zeroFrom(row: usize, from: i32, to: i32): void {
  for (let i = from; i < to; i++) store<f64>(row + ((<usize>i) << 3), 0);
}

/** to[i] <- -(entry i of a column whose entries are `step` bytes apart). */
function negatedColumn(from: usize, count: i32, to: usize): void {
  for (const end = to + ((<usize>count) << 3); to < end; to += 8) {
    store<f64>(to, -load<f64>(from));
    from += step;
  }
}

/** Row j of A -= sum_l v_l[j] y_l + x_l[j] u_l over the panel so far. */
function correctRow(row: usize, j: i32): void {
  const count = j - first;
  if (count == 0) return;
  const at = (<usize>j) << 3;
  const group = (<usize>(j & ~3)) << 3;
  const length = ld - (j & ~3);
  const second = coefficients + ((<usize>count) << 3);
  const panel = <usize>first * step;
  negatedColumn(left + panel + at, count, coefficients);
  negatedColumn(xs + at, count, second);
  addRows(ys + group, step, count, coefficients, row + group, length);
  addRows(a + panel + group, step, count, second, row + group, length);
}

/** x_j, column <- what the panel so far adds to A u_j and to column j of A. */
function prepare(u: usize, x: usize, column: usize, j: i32): void {
  const count = j - first;
  const at = (<usize>j) << 3;
  const right = (<usize>(j & ~3)) << 3;
  const length = ld - (j & ~3);
  const to = (j + 1) & ~3;
  const below = (<usize>to) << 3;
  const height = ld - to;
  const panel = <usize>first * step;
  const second = coefficients + ((<usize>count) << 3);
  memory.fill(x + below, 0, (<usize>height) << 3);
  memory.fill(column, 0, step);
  if (count == 0) return;
  const vs = left + panel + below;
  rowsTimes(ys + right, step, count, u + right, length, -1, coefficients);
  rowsTimes(a + panel + right, step, count, u + right, length, -1, second);
  addRows(vs, step, count, coefficients, x + below, height);
  addRows(xs + below, step, count, second, x + below, height);
  negatedColumn(ys + at, count, coefficients);
  negatedColumn(a + panel + at, count, second);
  addRows(vs, step, count, coefficients, column + below, height);
  addRows(xs + below, step, count, second, column + below, height);
}

/**
 * One pass over the rows below row j, in which A, which is larger than the caches, is read once:
 * x <- tau (x + A u), column <- A's plus column - x, y <- A^T column, four rows at a time.
 */
function bothProducts(u: usize, x: usize, column: usize, y: usize, j: i32, tau: f64): void {
  const right = (<usize>(j & ~3)) << 3;
  const length = ld - (j & ~3);
  const to = (j + 1) & ~3;
  const below = (<usize>to) << 3;
  memory.fill(y + below, 0, (<usize>(ld - to)) << 3);
  for (let i = to; i < ld; i += 4) {
    const rows = a + <usize>i * step;
    const at = (<usize>i) << 3;
    rowsTimes(rows + right, step, 4, u + right, length, 1, coefficients);
    let own = rows + ((<usize>j) << 3);
    for (let to = at; to < at + 32; to += 8) {
      const product = tau * (load<f64>(x + to) + load<f64>(coefficients + (to - at)));
      store<f64>(x + to, product);
      store<f64>(column + to, load<f64>(column + to) + load<f64>(own) - product);
      own += step;
    }
    if (i == to) {
      // Rows of the group that are done.
      zeroFrom(x, to, j + 1);
      zeroFrom(column, to, j + 1);
    }
    addFour<f64>(column + at, rows + below, step, y + below, ld - to);
  }
}

/**
 * y_j = tau (A - V^T Y - X^T U)^T v_j, right of column j, from y = A^T c where v_j is the column c
 * with its first entry made `beta` less, divided by `divisor`.
 */
function finishY(v: usize, y: usize, j: i32, tau: f64, beta: f64, divisor: f64): void {
  const count = j - first;
  const to = (j + 1) & ~3;
  const length = ld - to;
  const at = (<usize>to) << 3;
  const panel = <usize>first * step;
  y += at;
  if (tau == 0) {
    memory.fill(y, 0, (<usize>length) << 3);
    return;
  }
  addScaled(-beta, a + <usize>(j + 1) * step + at, y, length);
  scale(1 / divisor, y, length);
  zeroFrom(v, to, j + 1);
  const second = coefficients + ((<usize>count) << 3);
  rowsTimes(left + panel + at, step, count, v + at, length, -1, coefficients);
  rowsTimes(xs + at, step, count + 1, v + at, length, -1, second);
  addRows(ys + at, step, count, coefficients, y, length);
  addRows(a + panel + at, step, count + 1, second, y, length);
  scale(tau, y, length);
  zeroFrom(y, 0, j + 1 - to);
}

/** A -= V^T Y + X^T U behind a whole panel, as one product of depth 2 PANEL. */
function updateTrailing(work: usize): void {
  const begin = first + PANEL;
  const size = ld - begin;
  const at = (<usize>begin) << 3;
  const bytes = (<usize>size) << 3;
  const block = <usize>PANEL * bytes;
  for (let l = 0; l < PANEL; l++) {
    const shift = <usize>l * step + at;
    const panel = <usize>first * step + shift;
    const to = work + <usize>l * bytes;
    memory.copy(to, left + panel, bytes);
    memory.copy(to + block, xs + shift, bytes);
    memory.copy(to + 2 * block, ys + shift, bytes);
    memory.copy(to + 3 * block, a + panel, bytes);
  }
  const right = work + 2 * block;
  const corner = a + <usize>begin * (step + 8);
  const rest = right + 2 * block;
  product(
    work,
    1,
    size,
    right,
    size,
    1,
    corner,
    ld,
    size,
    2 * PANEL,
    size,
    SUBTRACT,
    false,
    rest,
  );
}
