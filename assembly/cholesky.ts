/**
 * Cholesky factorisation and solves, row by row: every inner loop is a dot product or an update
 * along contiguous rows.
 */
import { addScaled, dot, scale } from "./blas/vector";

/** The sums of one 4 x 4 block. */
const sums: usize = memory.data(128, 16);

/**
 * A = L L^T in place: lower triangle L, upper triangle zeroed. Reads the lower triangle only.
 * Returns 0, or the 1-based index of the first pivot that is not positive (A is then partly
 * overwritten).
 *
 * Blocks of 4 x 4, left-looking: each block is reduced by inner products of finished rows, which
 * lie side by side, so that nothing is copied.
 * Cost: n^3 / 3 flops. Backward error: |A - L L^T| <= (n + 1) 2^-53 |L| |L|^T entry by entry
 * (Higham 2002, Theorem 10.3).
 */
export function cholesky(a: usize, n: i32): i32 {
  const step = (<usize>n) << 3;
  const whole = n & ~3;
  for (let i = 0; i < whole; i += 4) {
    const rows = a + <usize>i * step;
    for (let j = 0; j < i; j += 4) eliminateBlock(rows, a + <usize>j * step, step, j);
    const failed = factorBlock(rows, step, i);
    if (failed > 0) return i + failed;
  }
  for (let i = whole; i < n; i++) {
    const row = a + <usize>i * step;
    eliminateRow(a, row, step, i);
    const at = row + ((<usize>i) << 3);
    const pivot = load<f64>(at) - dot(row, row, i);
    // Written so that NaN is refused too.
    if (!(pivot > 0)) return i + 1;
    store<f64>(at, sqrt(pivot));
  }
  for (let i = 0; i < n - 1; i++) {
    memory.fill(a + <usize>i * step + ((<usize>(i + 1)) << 3), 0, (<usize>(n - 1 - i)) << 3);
  }
  return 0;
}

/** Row i of L left of the diagonal. */
function eliminateRow(a: usize, row: usize, step: usize, i: i32): void {
  for (let j = 0; j < i; j++) {
    const other = a + <usize>j * step;
    const at = (<usize>j) << 3;
    store<f64>(row + at, (load<f64>(row + at) - dot(row, other, j)) / load<f64>(other + at));
  }
}

/** Columns j..j+3 of four rows of L below the diagonal block of rows `others`. */
function eliminateBlock(rows: usize, others: usize, step: usize, j: i32): void {
  innerProducts(rows, others, step, j, sums);
  innerProducts(rows, others + (step << 1), step, j, sums + 16);
  const at = (<usize>j) << 3;
  rows += at;
  others += at;
  const other1 = others + step;
  const other2 = other1 + step;
  const other3 = other2 + step;
  const end = sums + 128;
  for (let sum = sums; sum < end; sum += 32) {
    const x0 = (load<f64>(rows) - load<f64>(sum)) / load<f64>(others);
    const x1 =
      (load<f64>(rows, 8) - load<f64>(sum, 8) - x0 * load<f64>(other1)) / load<f64>(other1, 8);
    const y2 = load<f64>(rows, 16) - load<f64>(sum, 16) - x0 * load<f64>(other2);
    const x2 = (y2 - x1 * load<f64>(other2, 8)) / load<f64>(other2, 16);
    const y3 = load<f64>(rows, 24) - load<f64>(sum, 24) - x0 * load<f64>(other3);
    const x3 =
      (y3 - x1 * load<f64>(other3, 8) - x2 * load<f64>(other3, 16)) / load<f64>(other3, 24);
    store<f64>(rows, x0);
    store<f64>(rows, x1, 8);
    store<f64>(rows, x2, 16);
    store<f64>(rows, x3, 24);
    rows += step;
  }
}

/** The diagonal block of rows i..i+3; returns 0 or the 1-based row within it that fails. */
function factorBlock(rows: usize, step: usize, i: i32): i32 {
  innerProducts(rows, rows, step, i, sums);
  innerProducts(rows, rows + (step << 1), step, i, sums + 16);
  const block = rows + ((<usize>i) << 3);
  for (let r = 0; r < 4; r++) {
    const row = block + <usize>r * step;
    const sum = sums + ((<usize>r) << 5);
    for (let c = 0; c <= r; c++) {
      const at = (<usize>c) << 3;
      const other = block + <usize>c * step;
      let x = load<f64>(row + at) - load<f64>(sum + at);
      for (let t: usize = 0; t < at; t += 8) x -= load<f64>(row + t) * load<f64>(other + t);
      if (c < r) x /= load<f64>(other + at);
      // Written so that NaN is refused too.
      else if (!(x > 0)) return r + 1;
      else x = sqrt(x);
      store<f64>(row + at, x);
    }
  }
  return 0;
}

/**
 * out[4 r + c] <- the inner product of the first n entries (n a multiple of 4) of row r of four and
 * row c of two, rows `step` bytes apart. Each sum runs in two lanes, even and odd entries.
 */
function innerProducts(a: usize, b: usize, step: usize, n: i32, out: usize): void {
  const end = a + ((<usize>n) << 3);
  if (ASC_FEATURE_SIMD) {
    let a1 = a + step;
    let a2 = a1 + step;
    let a3 = a2 + step;
    let b1 = b + step;
    let s00 = f64x2.splat(0);
    let s01 = s00;
    let s10 = s00;
    let s11 = s00;
    let s20 = s00;
    let s21 = s00;
    let s30 = s00;
    let s31 = s00;
    while (a < end) {
      const x = v128.load(b);
      const y = v128.load(b1);
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
      a += 16;
      a1 += 16;
      a2 += 16;
      a3 += 16;
      b += 16;
      b1 += 16;
    }
    v128.store(out, addLanes(s00, s01));
    v128.store(out, addLanes(s10, s11), 32);
    v128.store(out, addLanes(s20, s21), 64);
    v128.store(out, addLanes(s30, s31), 96);
  } else {
    for (let r = 0; r < 4; r++) {
      store<f64>(out, innerProduct(a, b, n));
      store<f64>(out, innerProduct(a, b + step, n), 8);
      a += step;
      out += 32;
    }
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
