/**
 * Eigenvalues and eigenvectors of a symmetric tridiagonal matrix by divide and conquer.
 *
 * T is torn into two halves plus a matrix of rank one (Cuppen 1981); the halves are solved the same
 * way; joining them needs the roots of a secular equation and one matrix product. The vectors are
 * computed from a z for which the roots are exact, which makes them orthogonal to working accuracy
 * (Gu and Eisenstat 1994).
 */
import { product, productWorkspace } from "../blas/gemm";
import { OVERWRITE } from "../blas/tile";
import { BOTH, deflate, deflationTolerance, FIRST, SECOND } from "./deflate";
import { implicitQl } from "./implicit-ql";
import { combineRows, copyRows, gather, placeKept, secularSystem } from "./joining";
import { ascending, mergeOrders } from "./order";

/** Largest block given to the QL method. */
const LEAF: i32 = 24;

// The areas of the decomposition that is running. Set by `divideAndConquer`, so that the recursion
// does not have to pass them along; kernels run one at a time.
let d: usize = 0; // f64[n]
let e: usize = 0; // f64[n]
let q: usize = 0; // f64[ld,ld]: row i of a block becomes its eigenvector i
let ld: i32 = 0;
let order: usize = 0; // u32[n]: a block's rows, counted from its first, in ascending order of d
let rows: usize = 0; // f64[n,n]: copies of the rows to be combined
let u: usize = 0; // f64[n,n]: differences d_i - root, then coefficients
let z: usize = 0; // f64[n], as the next three
let poles: usize = 0;
let weights: usize = 0;
let exact: usize = 0;
let kinds: usize = 0; // u32[n], as the next three
let kept: usize = 0;
let deflated: usize = 0;
let place: usize = 0;
let scratch: usize = 0; // f64[2 LEAF], then the product's workspace
// The outermost joining: order, columns of its first half, roots, and kept rows that are zero beyond that half, or not on either side.
let size: i32 = 0;
let split: i32 = 0;
let roots: i32 = 0;
let inFirst: i32 = 0;
let inFirstOrBoth: i32 = 0;

/**
 * T = S diag(values) S^T: the values, and what `joinedVectors` makes S of.
 *
 * diagonal, offDiagonal f64[n], norm of T about 1 to n; destroyed, the diagonal <- the values
 * ascendingOrder u32[n] <- the permutation that sorts the values
 * spare   f64[n,n], f64-aligned
 * work    `divideWorkspace(n)` bytes; n > LEAF
 * Returns 0, or 1 if a leaf did not converge.
 * Cost: n^3 / 3 flops of matrix products, less what is deflated, and about 40 n^2 divisions.
 */
export function divideAndConquer(
  diagonal: usize,
  offDiagonal: usize,
  n: i32,
  ascendingOrder: usize,
  spare: usize,
  work: usize,
): i32 {
  ld = (n + 3) & ~3;
  const bytes = (<usize>ld) << 3;
  d = diagonal;
  e = offDiagonal;
  order = ascendingOrder;
  u = spare;
  q = work;
  rows = q + <usize>ld * bytes;
  z = rows + <usize>ld * bytes;
  poles = z + bytes;
  weights = poles + bytes;
  exact = weights + bytes;
  kinds = exact + bytes;
  kept = kinds + (bytes >> 1);
  deflated = kept + (bytes >> 1);
  place = deflated + (bytes >> 1);
  scratch = place + (bytes >> 1);
  size = n;
  memory.fill(q, 0, <usize>ld * bytes);
  return solve(0, n);
}

/**
 * vectors[n,count] <- the columns of S of the largest values, descending, after `divideAndConquer`, whose memory is as it was.
 * Cost: n^2 count flops, less what is deflated.
 */
export function joinedVectors(vectors: usize, count: i32): void {
  const n = size;
  const k = roots;
  const bytes = (<usize>n) << 3;
  const step = (<usize>count) << 3;
  // Vectors of roots, whose coefficients q gathers, come first, and deflated ones from the end on; place says where.
  let left = 0;
  let right = count;
  for (let c = 0; c < count; c++) {
    const from = load<u32>(order + ((<usize>(n - 1 - c)) << 2));
    let at = left;
    if (<i32>from < k) {
      const row = (<usize>k) << 3;
      memory.copy(q + <usize>left * row, u + <usize>from * row, row);
      left++;
    } else {
      at = --right;
      toColumn(rows + <usize>from * bytes, vectors + ((<usize>at) << 3), n, step);
    }
    store<u32>(place + ((<usize>c) << 2), at);
  }
  const second = rows + <usize>inFirst * bytes + ((<usize>split) << 3);
  const qSecond = q + ((<usize>inFirst) << 3);
  const below = vectors + <usize>split * step;
  const m = n - split;
  product(rows, 1, n, q, 1, k, vectors, count, split, inFirstOrBoth, left, OVERWRITE, false, scratch);
  product(second, 1, n, qSecond, 1, k, below, count, m, k - inFirst, left, OVERWRITE, false, scratch);
  for (let i = 0; i < n; i++) {
    gather(vectors, place, count, z);
    memory.copy(vectors, z, step);
    vectors += step;
  }
}

/** to[j step] <- from[j], `step` in bytes. */
export function toColumn(from: usize, to: usize, n: i32, step: usize): void {
  for (const end = from + ((<usize>n) << 3); from < end; from += 8) {
    store<f64>(to, load<f64>(from));
    to += step;
  }
}

export function divideWorkspace(n: i32): f64 {
  const padded = <f64>((n + 3) & ~3);
  return 8 * (2 * padded * padded + 6 * padded) + max(16 * <f64>LEAF, productWorkspace(n, n, n));
}

/** Solves block [from, to); of the outermost one rows are not combined. */
function solve(from: i32, to: i32): i32 {
  const n = to - from;
  if (n <= LEAF) return solveLeaf(from, n);
  // A multiple of four, so that the halves' columns start aligned to groups.
  const half = (n / 2 + 2) & ~3;
  const middle = from + half;
  const at = (<usize>middle) << 3;
  const coupling = load<f64>(e + at - 8);
  const tear = abs(coupling);
  store<f64>(d + at - 8, load<f64>(d + at - 8) - tear);
  store<f64>(d + at, load<f64>(d + at) - tear);
  if (solve(from, middle) || solve(middle, to)) return 1;
  join(from, half, n, coupling);
  return 0;
}

function solveLeaf(from: i32, n: i32): i32 {
  const at = (<usize>from) << 3;
  const step = (<usize>ld) << 3;
  const corner = q + <usize>from * (step + 8);
  for (let i = 0; i < n; i++) store<f64>(corner + <usize>i * (step + 8), 1);
  if (implicitQl(d + at, e + at, n, corner, step, (n + 3) & ~3, scratch)) return 1;
  ascending(d + at, n, order + ((<usize>from) << 2));
  return 0;
}

/** Joins the halves [from, from + half) and [from + half, from + n). */
function join(from: i32, half: i32, n: i32, coupling: f64): void {
  const step = (<usize>ld) << 3;
  const corner = q + <usize>from * (step + 8);
  const values = d + ((<usize>from) << 3);
  const sorted = order + ((<usize>from) << 2);
  const rho = 2 * abs(coupling);
  coupledEntries(corner, step, half, n, coupling < 0 ? -Math.SQRT1_2 : Math.SQRT1_2);
  for (let i = 0; i < n; i++) store<u32>(kinds + ((<usize>i) << 2), i < half ? FIRST : SECOND);
  mergeOrders(values, sorted, half, n, kept);
  const tolerance = deflationTolerance(values, z, n);
  const k = deflate(values, z, n, rho, sorted, kinds, corner, 0, step, n, tolerance, kept, deflated);
  const first = placeKept(kept, k, kinds, FIRST, place, 0);
  const firstAndBoth = placeKept(kept, k, kinds, BOTH, place, first);
  placeKept(kept, k, kinds, SECOND, place, firstAndBoth);
  copyRows(corner, step, n, n, kept, k, place, deflated, rows);

  // The roots come first, the deflated values behind them.
  gather(values, kept, k, poles);
  gather(z, kept, k, weights);
  gather(values, deflated, n - k, exact);
  const rest = values + ((<usize>k) << 3);
  memory.copy(rest, exact, (<usize>(n - k)) << 3);
  secularSystem(k, rho, values, u, poles, weights, exact, place, z, scratch);
  if (n < size) combineRows(corner, ld, half, n, n, k, first, firstAndBoth, u, rows, scratch);
  else {
    split = half;
    roots = k;
    inFirst = first;
    inFirstOrBoth = firstAndBoth;
  }

  for (let i = 0; i < k; i++) store<u32>(sorted + ((<usize>i) << 2), i);
  ascending(rest, n - k, sorted + ((<usize>k) << 2));
  mergeOrders(values, sorted, k, n, kept);
}

/** z <- the columns of S^T at the tear: the first half's last, the second half's first. */
function coupledEntries(corner: usize, step: usize, half: i32, n: i32, sign: f64): void {
  let from = corner + ((<usize>(half - 1)) << 3);
  for (let i = 0; i < n; i++) {
    if (i == half) from += 8;
    store<f64>(z + ((<usize>i) << 3), (i < half ? Math.SQRT1_2 : sign) * load<f64>(from));
    from += step;
  }
}
