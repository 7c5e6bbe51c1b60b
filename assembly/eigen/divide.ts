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
import { BOTH, deflate, FIRST, SECOND } from "./deflate";
import { implicitQl } from "./implicit-ql";
import { ascending, mergeOrders } from "./order";
import { multiplyGap, secularRoot, secularVector } from "./secular";

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

/**
 * T = S diag(values) S^T.
 *
 * diagonal, offDiagonal f64[n], norm of T about 1 to n; destroyed, the diagonal <- the values
 * vectors f64[n,n], row-major: column j <- the vector of value j, in no order
 * ascendingOrder u32[n] <- the permutation that sorts the values
 * spare   f64[n,n], f64-aligned
 * work    `divideWorkspace(n)` bytes; n > LEAF
 * Returns 0, or 1 if a leaf did not converge.
 * Cost: 4 n^3 / 3 flops of matrix products, less what is deflated, and about 40 n^2 divisions.
 */
export function divideAndConquer(
  diagonal: usize,
  offDiagonal: usize,
  n: i32,
  vectors: usize,
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
  memory.fill(q, 0, <usize>ld * bytes);
  return solve(0, n, vectors);
}

export function divideWorkspace(n: i32): f64 {
  const padded = <f64>((n + 3) & ~3);
  return 8 * (2 * padded * padded + 6 * padded) + max(16 * <f64>LEAF, productWorkspace(n, n, n));
}

/** Solves block [from, to); `vectors` is where the outermost block's result goes, else 0. */
function solve(from: i32, to: i32, vectors: usize): i32 {
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
  if (solve(from, middle, 0) || solve(middle, to, 0)) return 1;
  join(from, half, n, coupling, vectors);
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
function join(from: i32, half: i32, n: i32, coupling: f64, vectors: usize): void {
  const step = (<usize>ld) << 3;
  const corner = q + <usize>from * (step + 8);
  const values = d + ((<usize>from) << 3);
  const sorted = order + ((<usize>from) << 2);
  const rho = 2 * abs(coupling);
  coupledEntries(corner, step, half, n, coupling < 0 ? -Math.SQRT1_2 : Math.SQRT1_2);
  for (let i = 0; i < n; i++) store<u32>(kinds + ((<usize>i) << 2), i < half ? FIRST : SECOND);
  mergeOrders(values, sorted, half, n, kept);
  const k = deflate(values, z, n, rho, sorted, kinds, corner, step, n, kept, deflated);
  const first = placeKept(k, FIRST, 0);
  const firstAndBoth = placeKept(k, BOTH, first);
  placeKept(k, SECOND, firstAndBoth);
  copyRows(corner, step, n, k);

  // The roots come first, the deflated values behind them.
  gather(values, kept, k, poles);
  gather(z, kept, k, weights);
  gather(values, deflated, n - k, exact);
  const rest = values + ((<usize>k) << 3);
  memory.copy(rest, exact, (<usize>(n - k)) << 3);
  secularSystem(k, rho, values);
  if (vectors == 0) combine(corner, half, n, k, first, firstAndBoth);
  else combineLast(vectors, half, n, k, first, firstAndBoth);

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

/** Gives the kept rows of one kind places from `next` on; returns the place after the last. */
function placeKept(k: i32, kind: u32, next: i32): i32 {
  for (let i = 0; i < k; i++) {
    const row = load<u32>(kept + ((<usize>i) << 2));
    if (load<u32>(kinds + ((<usize>row) << 2)) == kind) {
      store<u32>(place + ((<usize>i) << 2), next);
      next++;
    }
  }
  return next;
}

/** Copies the kept rows to their places, the deflated ones behind them. */
function copyRows(corner: usize, step: usize, n: i32, k: i32): void {
  const bytes = (<usize>n) << 3;
  for (let i = 0; i < k; i++) {
    const row = load<u32>(kept + ((<usize>i) << 2));
    const to = load<u32>(place + ((<usize>i) << 2));
    memory.copy(rows + <usize>to * bytes, corner + <usize>row * step, bytes);
  }
  for (let i = 0; i < n - k; i++) {
    const row = load<u32>(deflated + ((<usize>i) << 2));
    memory.copy(rows + <usize>(k + i) * bytes, corner + <usize>row * step, bytes);
  }
}

/** to[i] <- from[index[i]]. */
function gather(from: usize, index: usize, n: i32, to: usize): void {
  for (const end = index + ((<usize>n) << 2); index < end; index += 4) {
    store<f64>(to, load<f64>(from + ((<usize>load<u32>(index)) << 3)));
    to += 8;
  }
}

/** values[k] <- the roots; row j of u[k,k] <- unit vector j, entry i at the place of row i. */
function secularSystem(k: i32, rho: f64, values: usize): void {
  const step = (<usize>k) << 3;
  if (k == 1) {
    const weight = load<f64>(weights);
    store<f64>(values, load<f64>(poles) + rho * weight * weight);
    store<f64>(u, 1);
    return;
  }
  for (let i = 0; i < k; i++) store<f64>(exact + ((<usize>i) << 3), 1);
  for (let j = 0; j < k; j++) {
    const row = u + <usize>j * step;
    const root = secularRoot(poles, weights, k, j, rho, row, scratch);
    store<f64>(values + ((<usize>j) << 3), root);
    multiplyGap(exact, row, poles, j, k);
  }
  for (let at: usize = 0; at < step; at += 8) {
    const size = sqrt(abs(load<f64>(exact + at)));
    store<f64>(exact + at, copysign<f64>(size, load<f64>(weights + at)));
  }
  for (let j = 0; j < k; j++) {
    const row = u + <usize>j * step;
    const square = secularVector(exact, row, k);
    scatterScaled(row, place, k, 1 / sqrt(square), z);
    memory.copy(row, z, step);
  }
}

/** to[index[i]] <- factor from[i]. */
function scatterScaled(from: usize, index: usize, n: i32, factor: f64, to: usize): void {
  for (const end = index + ((<usize>n) << 2); index < end; index += 4) {
    store<f64>(to + ((<usize>load<u32>(index)) << 3), factor * load<f64>(from));
    from += 8;
  }
}

/** The block's rows of q <- u times the kept rows, then the deflated rows. */
function combine(corner: usize, half: i32, n: i32, k: i32, first: i32, firstAndBoth: i32): void {
  const halfBytes = (<usize>half) << 3;
  const right = rows + ((<usize>first * <usize>n) << 3) + halfBytes;
  const uRight = u + ((<usize>first) << 3);
  const m = n - half;
  product(u, k, 1, rows, n, 1, corner, ld, k, firstAndBoth, half, OVERWRITE, false, scratch);
  product(
    uRight,
    k,
    1,
    right,
    n,
    1,
    corner + halfBytes,
    ld,
    k,
    k - first,
    m,
    OVERWRITE,
    false,
    scratch,
  );
  const step = (<usize>ld) << 3;
  const bytes = (<usize>n) << 3;
  for (let i = k; i < n; i++) {
    memory.copy(corner + <usize>i * step, rows + <usize>i * bytes, bytes);
  }
}

/** The same for the outermost block, transposed, into `vectors`. */
function combineLast(
  vectors: usize,
  half: i32,
  n: i32,
  k: i32,
  first: i32,
  firstAndBoth: i32,
): void {
  const bytes = (<usize>n) << 3;
  const right = rows + <usize>first * bytes + ((<usize>half) << 3);
  const uRight = u + ((<usize>first) << 3);
  const below = vectors + <usize>half * bytes;
  const m = n - half;
  product(rows, 1, n, u, 1, k, vectors, n, half, firstAndBoth, k, OVERWRITE, false, scratch);
  product(right, 1, n, uRight, 1, k, below, n, m, k - first, k, OVERWRITE, false, scratch);
  for (let i = k; i < n; i++) {
    toColumn(rows + <usize>i * bytes, vectors + ((<usize>i) << 3), bytes);
  }
}

function toColumn(from: usize, to: usize, bytes: usize): void {
  for (const end = from + bytes; from < end; from += 8) {
    store<f64>(to, load<f64>(from));
    to += bytes;
  }
}
