/**
 * What joining two halves takes once it is deflated, for symmetric tridiagonal and for bidiagonal
 * matrices alike (Gu and Eisenstat 1994, 1995): places, copies, the secular system, the product.
 */
import { product } from "../blas/gemm";
import { OVERWRITE } from "../blas/tile";
import { multiplyGap, secularRoot, secularVector } from "./secular";

/** Gives the kept rows of one kind places from `next` on; returns the place after the last. */
export function placeKept(
  kept: usize,
  k: i32,
  kinds: usize,
  kind: u32,
  place: usize,
  next: i32,
): i32 {
  for (let i = 0; i < k; i++) {
    const row = load<u32>(kept + ((<usize>i) << 2));
    if (load<u32>(kinds + ((<usize>row) << 2)) == kind) {
      store<u32>(place + ((<usize>i) << 2), next);
      next++;
    }
  }
  return next;
}

/** Copies the kept rows to their places, the deflated ones behind them: rows[n,cols]. */
export function copyRows(
  corner: usize,
  step: usize,
  n: i32,
  cols: i32,
  kept: usize,
  k: i32,
  place: usize,
  deflated: usize,
  rows: usize,
): void {
  const bytes = (<usize>cols) << 3;
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
export function gather(from: usize, index: usize, n: i32, to: usize): void {
  for (const end = index + ((<usize>n) << 2); index < end; index += 4) {
    store<f64>(to, load<f64>(from + ((<usize>load<u32>(index)) << 3)));
    to += 8;
  }
}

/** values[k] <- the roots; row j of u[k,k] <- unit vector j, entry i at the place of row i. */
export function secularSystem(
  k: i32,
  rho: f64,
  values: usize,
  u: usize,
  poles: usize,
  weights: usize,
  exact: usize,
  place: usize,
  z: usize,
  scratch: usize,
): void {
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

/**
 * The block's rows <- u[k,k] times the kept rows, then the deflated rows.
 *
 * corner       rows `ld` entries apart; `rows` rows of `cols`
 * split        columns before it are zero in SECOND rows, those from it on in FIRST rows
 * first        FIRST rows; firstAndBoth: with those in both
 */
export function combineRows(
  corner: usize,
  ld: i32,
  split: i32,
  n: i32,
  cols: i32,
  k: i32,
  first: i32,
  firstAndBoth: i32,
  u: usize,
  rows: usize,
  work: usize,
): void {
  const splitBytes = (<usize>split) << 3;
  const right = rows + ((<usize>first * <usize>cols) << 3) + splitBytes;
  const uRight = u + ((<usize>first) << 3);
  const to = corner + splitBytes;
  const m = cols - split;
  product(u, k, 1, rows, cols, 1, corner, ld, k, firstAndBoth, split, OVERWRITE, false, work);
  product(uRight, k, 1, right, cols, 1, to, ld, k, k - first, m, OVERWRITE, false, work);
  const step = (<usize>ld) << 3;
  const bytes = (<usize>cols) << 3;
  for (let i = k; i < n; i++) {
    memory.copy(corner + <usize>i * step, rows + <usize>i * bytes, bytes);
  }
}
