/**
 * Cholesky factorisation and solves, row by row: every inner loop is a dot product or an update
 * along contiguous rows.
 */
import { addScaled, dot, scale } from "./blas/vector";

/** The sums of one 4 x 4 block. */
export const sums: usize = memory.data(128, 16);
/** Rows of L made at a time: with 1000 entries each they fit into a second-level cache of 512 KB. */
const PANEL: i32 = 64;

/**
 * A = L L^T in place: lower triangle L, upper triangle zeroed. Reads the lower triangle only.
 * Returns 0, or the 1-based index of the first pivot that is not positive (A is then partly
 * overwritten).
 *
 * Blocks of 4 x 4, left-looking: each block is reduced by inner products of finished rows, which
 * lie side by side, so that nothing is copied. Finished rows are read once for PANEL rows at a time.
 * Cost: n^3 / 3 flops. Backward error: |A - L L^T| <= (n + 2) 2^-53 |L| |L|^T entry by entry
 * (Higham 2002, Theorem 10.3; one more for multiplying by reciprocals of the diagonal).
 */
export function cholesky(a: usize, n: i32): i32 {
  const step = (<usize>n) << 3;
  for (let top = 0; top < n; top += PANEL) {
    const bottom = min(top + PANEL, n);
    for (let j = 0; j < top; j += 4) {
      const others = a + <usize>j * step;
      for (let i = top; i < bottom; i += 4) {
        eliminateBlock(a + <usize>i * step, others, step, j, min(4, n - i));
      }
    }
    for (let j = top; j < bottom; j += 4) {
      const failed = factorBlock(a, step, j, min(4, n - j));
      if (failed > 0) return j + failed;
      const others = a + <usize>j * step;
      for (let i = j + 4; i < bottom; i += 4) {
        eliminateBlock(a + <usize>i * step, others, step, j, min(4, n - i));
      }
    }
  }
  for (let i = 0; i < n - 1; i++) {
    clear(a + <usize>i * step + ((<usize>(i + 1)) << 3), (<usize>(n - 1 - i)) << 3);
  }
  return 0;
}

/** Zeros `bytes` bytes, a multiple of 8; calling memory.fill takes longer where they are few. */
function clear(to: usize, bytes: usize): void {
  if (bytes > 512) {
    memory.fill(to, 0, bytes);
    return;
  }
  const end = to + bytes;
  if (ASC_FEATURE_SIMD) {
    for (; to + 16 <= end; to += 16) v128.store(to, f64x2.splat(0));
  }
  for (; to < end; to += 8) store<f64>(to, 0);
}

/**
 * Columns j..j+3 of `count` rows X of X L^T = A, of which columns before are done: X in the place of A. `others` are rows j..j+3 of L.
 * Where X is zero in its first columns both may begin behind them.
 */
export function eliminateBlock(rows: usize, others: usize, step: usize, j: i32, count: i32): void {
  blockProducts(rows, others, step, j, count);
  const at = (<usize>j) << 3;
  rows += at;
  others += at;
  const other1 = others + step;
  const other2 = other1 + step;
  const other3 = other2 + step;
  const r0 = 1 / load<f64>(others);
  const r1 = 1 / load<f64>(other1, 8);
  const r2 = 1 / load<f64>(other2, 16);
  const r3 = 1 / load<f64>(other3, 24);
  let sum = sums;
  if (ASC_FEATURE_SIMD) {
    // Two rows at a time, one in each lane.
    for (; count >= 2; count -= 2) {
      const next = rows + step;
      let p = f64x2.sub(v128.load(rows), v128.load(sum));
      let q = f64x2.sub(v128.load(next), v128.load(sum, 32));
      const x0 = f64x2.mul(v128.shuffle<f64>(p, q, 0, 2), f64x2.splat(r0));
      let y = f64x2.sub(v128.shuffle<f64>(p, q, 1, 3), f64x2.mul(x0, v128.load64_splat(other1)));
      const x1 = f64x2.mul(y, f64x2.splat(r1));
      p = f64x2.sub(v128.load(rows, 16), v128.load(sum, 16));
      q = f64x2.sub(v128.load(next, 16), v128.load(sum, 48));
      y = f64x2.sub(v128.shuffle<f64>(p, q, 0, 2), f64x2.mul(x0, v128.load64_splat(other2)));
      y = f64x2.sub(y, f64x2.mul(x1, v128.load64_splat(other2, 8)));
      const x2 = f64x2.mul(y, f64x2.splat(r2));
      y = f64x2.sub(v128.shuffle<f64>(p, q, 1, 3), f64x2.mul(x0, v128.load64_splat(other3)));
      y = f64x2.sub(y, f64x2.mul(x1, v128.load64_splat(other3, 8)));
      y = f64x2.sub(y, f64x2.mul(x2, v128.load64_splat(other3, 16)));
      const x3 = f64x2.mul(y, f64x2.splat(r3));
      v128.store(rows, v128.shuffle<f64>(x0, x1, 0, 2));
      v128.store(rows, v128.shuffle<f64>(x2, x3, 0, 2), 16);
      v128.store(next, v128.shuffle<f64>(x0, x1, 1, 3));
      v128.store(next, v128.shuffle<f64>(x2, x3, 1, 3), 16);
      rows = next + step;
      sum += 64;
    }
  }
  for (; count > 0; count--) {
    const x0 = (load<f64>(rows) - load<f64>(sum)) * r0;
    const x1 = (load<f64>(rows, 8) - load<f64>(sum, 8) - x0 * load<f64>(other1)) * r1;
    const y2 = load<f64>(rows, 16) - load<f64>(sum, 16) - x0 * load<f64>(other2);
    const x2 = (y2 - x1 * load<f64>(other2, 8)) * r2;
    const y3 = load<f64>(rows, 24) - load<f64>(sum, 24) - x0 * load<f64>(other3);
    const x3 = (y3 - x1 * load<f64>(other3, 8) - x2 * load<f64>(other3, 16)) * r3;
    store<f64>(rows, x0);
    store<f64>(rows, x1, 8);
    store<f64>(rows, x2, 16);
    store<f64>(rows, x3, 24);
    rows += step;
    sum += 32;
  }
}

/** The diagonal block of rows i..i+count-1; returns 0 or the 1-based row within it that fails. */
function factorBlock(a: usize, step: usize, i: i32, count: i32): i32 {
  const rows = a + <usize>i * step;
  blockProducts(rows, rows, step, i, count);
  const row = rows + ((<usize>i) << 3);
  // Written so that NaN is refused too.
  let x = load<f64>(row) - load<f64>(sums);
  if (!(x > 0)) return 1;
  const l00 = sqrt(x);
  store<f64>(row, l00);
  if (count == 1) return 0;
  const row1 = row + step;
  const l10 = (load<f64>(row1) - load<f64>(sums, 32)) / l00;
  x = load<f64>(row1, 8) - load<f64>(sums, 40) - l10 * l10;
  if (!(x > 0)) return 2;
  const l11 = sqrt(x);
  store<f64>(row1, l10);
  store<f64>(row1, l11, 8);
  if (count == 2) return 0;
  const row2 = row1 + step;
  const l20 = (load<f64>(row2) - load<f64>(sums, 64)) / l00;
  const l21 = (load<f64>(row2, 8) - load<f64>(sums, 72) - l20 * l10) / l11;
  x = load<f64>(row2, 16) - load<f64>(sums, 80) - l20 * l20 - l21 * l21;
  if (!(x > 0)) return 3;
  const l22 = sqrt(x);
  store<f64>(row2, l20);
  store<f64>(row2, l21, 8);
  store<f64>(row2, l22, 16);
  if (count == 3) return 0;
  const row3 = row2 + step;
  const l30 = (load<f64>(row3) - load<f64>(sums, 96)) / l00;
  const l31 = (load<f64>(row3, 8) - load<f64>(sums, 104) - l30 * l10) / l11;
  const y = load<f64>(row3, 16) - load<f64>(sums, 112) - l30 * l20;
  const l32 = (y - l31 * l21) / l22;
  x = load<f64>(row3, 24) - load<f64>(sums, 120) - l30 * l30 - l31 * l31 - l32 * l32;
  if (!(x > 0)) return 4;
  store<f64>(row3, l30);
  store<f64>(row3, l31, 8);
  store<f64>(row3, l32, 16);
  store<f64>(row3, sqrt(x), 24);
  return 0;
}

/**
 * sums[4 r + c] <- the inner product of the first n entries (n a multiple of 4) of row r of `a`, r < count, and row c of `b`,
 * four rows or, at the end of the matrix, as many as `a` has; the rest of `sums` is without meaning.
 */
export function blockProducts(a: usize, b: usize, step: usize, n: i32, count: i32): void {
  // Rows that are not there are read as the last one that is.
  const a1 = count > 1 ? a + step : a;
  const a2 = count > 2 ? a1 + step : a1;
  const a3 = count > 3 ? a2 + step : a2;
  if (a != b) {
    const b2 = b + (step << 1);
    innerProducts(a, a1, a2, a3, b, b + step, n, sums);
    innerProducts(a, a1, a2, a3, b2, b2 + step, n, sums + 16);
  } else {
    innerProducts(a, a1, a2, a3, a, a1, n, sums);
    if (count > 2) innerProducts(a, a1, a2, a3, a2, a3, n, sums + 16);
  }
}

/**
 * out[4 r + c] <- the inner product of the first n entries of row r of a, a1, a2, a3 and row c of b, b1.
 * Each sum runs in two lanes, even and odd entries.
 */
function innerProducts(
  a: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b: usize,
  b1: usize,
  n: i32,
  out: usize,
): void {
  const end = a + ((<usize>n) << 3);
  if (ASC_FEATURE_SIMD) {
    let s00 = f64x2.splat(0);
    let s01 = s00;
    let s10 = s00;
    let s11 = s00;
    let s20 = s00;
    let s21 = s00;
    let s30 = s00;
    let s31 = s00;
    while (a < end) {
      let x = v128.load(b);
      let y = v128.load(b1);
      let p = v128.load(a);
      s00 = addProduct(s00, p, x);
      s01 = addProduct(s01, p, y);
      p = v128.load(a1);
      s10 = addProduct(s10, p, x);
      s11 = addProduct(s11, p, y);
      p = v128.load(a2);
      s20 = addProduct(s20, p, x);
      s21 = addProduct(s21, p, y);
      p = v128.load(a3);
      s30 = addProduct(s30, p, x);
      s31 = addProduct(s31, p, y);
      // As in ./blas/tile: a way out, so that V8 does not hoist the loads and spill.
      if (a + 16 >= end) break;
      x = v128.load(b, 16);
      y = v128.load(b1, 16);
      p = v128.load(a, 16);
      s00 = addProduct(s00, p, x);
      s01 = addProduct(s01, p, y);
      p = v128.load(a1, 16);
      s10 = addProduct(s10, p, x);
      s11 = addProduct(s11, p, y);
      p = v128.load(a2, 16);
      s20 = addProduct(s20, p, x);
      s21 = addProduct(s21, p, y);
      p = v128.load(a3, 16);
      s30 = addProduct(s30, p, x);
      s31 = addProduct(s31, p, y);
      a += 32;
      a1 += 32;
      a2 += 32;
      a3 += 32;
      b += 32;
      b1 += 32;
    }
    v128.store(out, addLanes(s00, s01));
    v128.store(out, addLanes(s10, s11), 32);
    v128.store(out, addLanes(s20, s21), 64);
    v128.store(out, addLanes(s30, s31), 96);
  } else {
    store<f64>(out, innerProduct(a, b, n));
    store<f64>(out, innerProduct(a, b1, n), 8);
    store<f64>(out, innerProduct(a1, b, n), 32);
    store<f64>(out, innerProduct(a1, b1, n), 40);
    store<f64>(out, innerProduct(a2, b, n), 64);
    store<f64>(out, innerProduct(a2, b1, n), 72);
    store<f64>(out, innerProduct(a3, b, n), 96);
    store<f64>(out, innerProduct(a3, b1, n), 104);
  }
}

/** sum + x y; fused, where the build allows what differs between hosts. */
function addProduct(sum: v128, x: v128, y: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f64x2.relaxed_madd(x, y, sum);
  return f64x2.add(sum, f64x2.mul(x, y));
}

/** (a0 + a1, b0 + b1). */
function addLanes(a: v128, b: v128): v128 {
  return f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3));
}

function innerProduct(a: usize, b: usize, n: i32): f64 {
  let s0: f64 = 0;
  let s1: f64 = 0;
  for (const end = a + ((<usize>n) << 3); a < end; a += 16) {
    s0 += load<f64>(a) * load<f64>(b);
    s1 += load<f64>(a, 8) * load<f64>(b, 8);
    b += 16;
  }
  return s0 + s1;
}

/**
 * Solves L L^T X = B in place for row-major B[n,nrhs]. Cost: 2 n^2 nrhs flops.
 */
export function choleskySolve(l: usize, b: usize, n: i32, nrhs: i32): void {
  const step = (<usize>n) << 3;
  if (nrhs == 1) {
    for (let i = 0; i < n; i++) {
      const row = l + <usize>i * step;
      const at = (<usize>i) << 3;
      store<f64>(b + at, (load<f64>(b + at) - dot(row, b, i)) / load<f64>(row + at));
    }
    for (let i = n - 1; i >= 0; i--) {
      const row = l + <usize>i * step;
      const at = (<usize>i) << 3;
      const x = load<f64>(b + at) / load<f64>(row + at);
      store<f64>(b + at, x);
      addScaled(-x, row, b, i);
    }
    return;
  }
  const wide = (<usize>nrhs) << 3;
  for (let i = 0; i < n; i++) {
    const row = l + <usize>i * step;
    const x = b + <usize>i * wide;
    for (let k = 0; k < i; k++) {
      addScaled(-load<f64>(row + ((<usize>k) << 3)), b + <usize>k * wide, x, nrhs);
    }
    scale(1 / load<f64>(row + ((<usize>i) << 3)), x, nrhs);
  }
  for (let i = n - 1; i >= 0; i--) {
    const row = l + <usize>i * step;
    const x = b + <usize>i * wide;
    scale(1 / load<f64>(row + ((<usize>i) << 3)), x, nrhs);
    for (let k = 0; k < i; k++) {
      addScaled(-load<f64>(row + ((<usize>k) << 3)), x, b + <usize>k * wide, nrhs);
    }
  }
}
