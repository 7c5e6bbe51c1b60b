/**
 * Singular values and vectors of a bidiagonal matrix by divide and conquer.
 *
 * A row in the middle divides B into two halves that are solved the same way, B_1 with one column
 * more than rows; in their vectors B is diag(0, D_1, D_2) with one full row z, whose singular values
 * are the roots of a secular equation with poles d_i^2. The vectors are computed from a z for which
 * the roots are exact, which makes both sides orthogonal to working accuracy: Gu and Eisenstat
 * (1995), "A divide-and-conquer algorithm for the bidiagonal SVD" (LAPACK dbdsdc).
 */
import { at } from "../address";
import { productWorkspace } from "../blas/gemm";
import { maxAbs, rotate } from "../blas/vector";
import { BOTH, deflate, FIRST, SECOND } from "../eigen/deflate";
import { combineRows, copyRows, gather, placeKept, secularSystem } from "../eigen/joining";
import { ascending, mergeOrders } from "../eigen/order";

/** Lengths below it are taken for zero: their squares underflow. The matrix is scaled to about 1. */
const TINY: f64 = 1e-140;

// The areas of the decomposition that is running; kernels run one at a time.
let d: usize = 0; // f64[n]
let e: usize = 0; // f64[n]
let ld: i32 = 0;
let lefts: usize = 0; // f64[ld,ld]: row i of a block becomes its left vector i
let rights: usize = 0; // f64[ld,ld]: likewise; then the vector that B maps to zero
let order: usize = 0; // u32[n]: a block's rows, counted from its first, in ascending order of d
let rows: usize = 0; // f64[n,n]: copies of the rows to be combined
let coefficients: usize = 0; // f64[n,n]
let tolerance: f64 = 0;
let z: usize = 0; // f64[ld], as the next five
let poles: usize = 0;
let weights: usize = 0;
let exact: usize = 0;
let spare: usize = 0;
let placed: usize = 0;
let kinds: usize = 0; // u32[ld], as the next three
let kept: usize = 0;
let deflated: usize = 0;
let place: usize = 0;
let scratch: usize = 0; // f64[4], later the product's workspace

/**
 * B = sum_i d_i l_i r_i^T for upper bidiagonal B with diagonal d, e above it, norm about 1 to n.
 *
 * diagonal, above     f64[n], destroyed; the diagonal <- the values, >= 0
 * left, right         f64[leading,leading]: row i <- l_i, r_i; leading >= n
 * ascendingOrder      u32[n] <- the permutation that sorts the values
 * copies, products    f64[n,n] each
 * work                `bidiagonalSvdWorkspace(n)` bytes
 * Cost: 8 n^3 / 3 flops of matrix products, less what is deflated, and about 40 n^2 divisions.
 * Backward error: a small multiple of 2^-53 times the norm; no relative accuracy of small values.
 */
export function bidiagonalSvd(
  diagonal: usize,
  above: usize,
  n: i32,
  leading: i32,
  left: usize,
  right: usize,
  ascendingOrder: usize,
  copies: usize,
  products: usize,
  work: usize,
): void {
  ld = leading;
  const bytes = (<usize>ld) << 3;
  d = diagonal;
  e = above;
  lefts = left;
  rights = right;
  order = ascendingOrder;
  rows = copies;
  coefficients = products;
  tolerance = 8.881784197001252e-16 * max(maxAbs(d, n), maxAbs(e, n - 1)); // 8 2^-53
  z = work;
  poles = z + bytes;
  weights = poles + bytes;
  exact = weights + bytes;
  spare = exact + bytes;
  placed = spare + bytes;
  kinds = placed + bytes;
  kept = kinds + (bytes >> 1);
  deflated = kept + (bytes >> 1);
  place = deflated + (bytes >> 1);
  scratch = place + (bytes >> 1);
  memory.fill(lefts, 0, <usize>ld * bytes);
  memory.fill(rights, 0, <usize>ld * bytes);
  solve(0, n, 0);
}

export function bidiagonalSvdWorkspace(n: i32): f64 {
  return 64 * <f64>(n + 4) + productWorkspace(n, n, n);
}

/** Solves rows [from, to), which have `more` columns more than rows, 0 or 1. */
function solve(from: i32, to: i32, more: i32): void {
  const n = to - from;
  if (n == 0) {
    if (more) store<f64>(entry(rights, from, from), 1);
    return;
  }
  if (n == 1) {
    solveRow(from, more);
    return;
  }
  const middle = from + (n >> 1);
  solve(from, middle, 1);
  solve(middle + 1, to, more);
  join(from, middle, n, more);
}

@inline function entry(matrix: usize, i: i32, j: i32): usize {
  return at(matrix, i * ld + j);
}

/** One row: its length, and its direction beside what is orthogonal to it. */
function solveRow(from: i32, more: i32): void {
  const alpha = load<f64>(at(d, from));
  const beta = more ? load<f64>(at(e, from)) : 0;
  let size = sqrt(alpha * alpha + beta * beta);
  if (!more) size = abs(alpha);
  else if (size < TINY) size = 0;
  const c = size > 0 ? alpha / size : 1;
  const s = size > 0 ? beta / size : 0;
  store<f64>(at(d, from), size);
  store<u32>(order + ((<usize>from) << 2), 0);
  store<f64>(entry(lefts, from, from), 1);
  store<f64>(entry(rights, from, from), c);
  if (more) {
    store<f64>(entry(rights, from, from + 1), s);
    store<f64>(entry(rights, from + 1, from), -s);
    store<f64>(entry(rights, from + 1, from + 1), c);
  }
}

/** Joins the halves around row `middle`. Item `half` of the block is that row itself, with d = 0. */
function join(from: i32, middle: i32, n: i32, more: i32): void {
  const half = middle - from;
  const step = (<usize>ld) << 3;
  const left = entry(lefts, from, from);
  const right = entry(rights, from, from);
  const values = at(d, from);
  const sorted = order + ((<usize>from) << 2);
  const cols = n + more;
  store<f64>(entry(lefts, middle, middle), 1);
  middleRow(right, half, n, more, load<f64>(at(d, middle)), load<f64>(at(e, middle)));
  store<f64>(at(values, half), 0);
  for (let i = 0; i < n; i++) {
    const kind = i > half ? SECOND : i == half && more ? BOTH : FIRST;
    store<u32>(kinds + ((<usize>i) << 2), kind);
  }
  // The order of all items but the middle one.
  const second = sorted + ((<usize>half) << 2);
  for (let at = second; at < sorted + ((<usize>(n - 1)) << 2); at += 4) {
    store<u32>(at, load<u32>(at + 4) + 1);
  }
  mergeOrders(values, sorted, half, n - 1, kept);
  store<u32>(kept, half);
  const k =
    1 +
    deflate(values, z, n - 1, 1, sorted, kinds, right, left, step, cols, tolerance, kept + 4, deflated);
  const first = placeKept(kept, k, kinds, FIRST, place, 0);
  const firstAndBoth = placeKept(kept, k, kinds, BOTH, place, first);
  placeKept(kept, k, kinds, SECOND, place, firstAndBoth);

  // The roots come first, the deflated values behind them.
  gather(values, deflated, n - k, exact);
  gather(values, kept, k, spare);
  gather(z, kept, k, weights);
  const rest = at(values, k);
  memory.copy(rest, exact, (<usize>(n - k)) << 3);
  const rho = poleAndWeights(k);
  secularSystem(k, rho, values, coefficients, poles, weights, exact, place, z, scratch);
  copyRows(right, step, n, cols, kept, k, place, deflated, rows);
  combineRows(right, ld, half + 1, n, cols, k, first, firstAndBoth, coefficients, rows, scratch);
  toLeft(k, values);
  copyRows(left, step, n, n, kept, k, place, deflated, rows);
  combineRows(left, ld, half + 1, n, n, k, first, firstAndBoth, coefficients, rows, scratch);

  for (let i = 0; i < k; i++) {
    store<f64>(at(values, i), sqrt(max(0, load<f64>(at(values, i)))));
    store<u32>(sorted + ((<usize>i) << 2), i);
  }
  ascending(rest, n - k, sorted + ((<usize>k) << 2));
  mergeOrders(values, sorted, k, n, kept);
}

/**
 * z <- the middle row (alpha, beta) in the halves' right vectors. Two vectors that the halves map to
 * zero become one that the block maps to zero, kept behind the others, and one with all of z.
 */
function middleRow(right: usize, half: i32, n: i32, more: i32, alpha: f64, beta: f64): void {
  const step = (<usize>ld) << 3;
  for (let i = 0; i < n; i++) {
    const row = right + <usize>i * step;
    const value = i > half ? beta * load<f64>(at(row, half + 1)) : alpha * load<f64>(at(row, half));
    store<f64>(at(z, i), value);
  }
  if (!more) return;
  const mine = right + <usize>half * step;
  const other = right + <usize>n * step;
  const x = load<f64>(at(z, half));
  const y = beta * load<f64>(at(other, half + 1));
  const size = sqrt(x * x + y * y);
  if (size < TINY) return;
  rotate(mine, other, x / size, -y / size, n + 1);
  store<f64>(at(z, half), size);
}

/** poles <- d^2 of the kept items, weights <- z / ||z||; returns ||z||^2. */
function poleAndWeights(k: i32): f64 {
  // Steps away from zero that cost no more than a deflation, so that no pole meets the one at zero.
  if (abs(load<f64>(weights)) <= tolerance) store<f64>(weights, tolerance);
  if (k > 1) store<f64>(at(spare, 1), max(load<f64>(at(spare, 1)), 0.5 * tolerance));
  let rho: f64 = 0;
  for (let i = 0; i < k; i++) {
    const value = load<f64>(at(spare, i));
    const weight = load<f64>(at(weights, i));
    store<f64>(at(poles, i), value * value);
    store<f64>(at(placed, load<u32>(place + ((<usize>i) << 2))), value);
    rho += weight * weight;
  }
  const size = sqrt(rho);
  if (size > 0) {
    for (let i = 0; i < k; i++) store<f64>(at(weights, i), load<f64>(at(weights, i)) / size);
  }
  return rho;
}

/**
 * Coefficients of right vectors -> those of left ones: d_i v_i, and z . v for the middle row, which
 * is v_0 root / z_0 because the roots are those of z.
 */
function toLeft(k: i32, values: usize): void {
  if (k == 1) {
    store<f64>(coefficients, load<f64>(weights) < 0 ? -1 : 1);
    return;
  }
  const middle = load<u32>(place);
  const z0 = load<f64>(exact);
  for (let j = 0; j < k; j++) {
    const row = at(coefficients, j * k);
    const own = (load<f64>(at(row, middle)) * load<f64>(at(values, j))) / z0;
    leftRow(row, k, middle, own);
  }
}

/** row[i] <- row[i] placed[i], the middle one `own`; made a unit vector. */
function leftRow(row: usize, k: i32, middle: i32, own: f64): void {
  let square: f64 = 0;
  for (let i = 0; i < k; i++) {
    const x = i == middle ? own : load<f64>(at(row, i)) * load<f64>(at(placed, i));
    store<f64>(at(row, i), x);
    square += x * x;
  }
  const factor = 1 / sqrt(square);
  for (let i = 0; i < k; i++) store<f64>(at(row, i), load<f64>(at(row, i)) * factor);
}
