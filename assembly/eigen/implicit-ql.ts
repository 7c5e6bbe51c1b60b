/**
 * Eigenvalues and eigenvectors of a symmetric tridiagonal matrix by the implicit QL method.
 *
 * After Dubrulle, Martin and Wilkinson (1968), "The implicit QL algorithm" (EISPACK imtql2). One
 * sweep's rotations are collected first and then applied to the vectors in one pass.
 */
import { maxAbs } from "../blas/vector";

/** Below this part of the largest entry an off-diagonal entry is dropped: half an ulp. */
const NEGLIGIBLE: f64 = 5.551115123125783e-17; // 2^-54
/** Below this, f^2 + g^2 may have lost digits to underflow. */
const SMALLEST_SQUARE: f64 = 1e-280;
/** Sweeps allowed per eigenvalue; three are usual. */
export const SWEEPS: i32 = 60;

/**
 * T = S diag(d) S^T; Z <- S^T Z.
 *
 * d     f64[n], the diagonal; replaced by the eigenvalues, unordered
 * e     f64[n], e[i] couples i and i + 1, e[n-1] is not read; destroyed
 * z     rows of `cols` entries (a multiple of 4), `step` bytes apart; with Z = I at the start, row i
 *       becomes eigenvector i of T
 * work  f64[2 n]
 * Returns 0, or 1 if a value needs more than 60 sweeps.
 * Backward error: a small multiple of n 2^-53 in norm. Cost: about 3 n^2 rotations of rows.
 */
export function implicitQl(
  d: usize,
  e: usize,
  n: i32,
  z: usize,
  step: usize,
  cols: i32,
  work: usize,
): i32 {
  const last = (<usize>(n - 1)) << 3;
  store<f64>(e + last, 0);
  // Rounding is of the size of the largest entry, which grows with n for a matrix of entries alike: what is small beside it stays.
  const norm = largest(d, e, n);
  for (let l = 0; l < n; l++) {
    const dl = d + ((<usize>l) << 3);
    const el = e + ((<usize>l) << 3);
    let sweeps = 0;
    while (true) {
      const m = splitPoint(d, e, l, n, norm);
      if (m == l) break;
      if (sweeps++ == SWEEPS) return 1;
      const em = e + ((<usize>m) << 3);
      // Wilkinson's shift, from the 2 x 2 block at l.
      let g = (load<f64>(dl, 8) - load<f64>(dl)) / (2 * load<f64>(el));
      const r = sqrt(g * g + 1);
      g = load<f64>(d + ((<usize>m) << 3)) - load<f64>(dl) + load<f64>(el) / (g + (g < 0 ? -r : r));
      const done = chase(d, e, l, m, g, work);
      if (cols > 0) applySweep(z, step, cols, done, m, work);
      // Broken off where a rotation had nothing left to turn: the matrix splits there.
      store<f64>(em, 0);
    }
  }
  return 0;
}

/** The largest entry of T, and 1 at least. */
function largest(d: usize, e: usize, n: i32): f64 {
  return max(1, max(maxAbs(d, n), maxAbs(e, n)));
}

/** The first m >= l whose coupling to m + 1 is negligible; drops it. */
function splitPoint(d: usize, e: usize, l: i32, n: i32, norm: f64): i32 {
  let m = l;
  for (; m < n - 1; m++) {
    const at = (<usize>m) << 3;
    const size = abs(load<f64>(e + at));
    const scale = abs(load<f64>(d + at)) + abs(load<f64>(d + at, 8));
    if (size <= NEGLIGIBLE * max(norm, scale)) {
      store<f64>(e + at, 0);
      break;
    }
  }
  return m;
}

/**
 * Chases the bulge from m up to l; rotation i (rows i, i + 1) goes to work[2 i], work[2 i + 1] as
 * cosine, sine. Returns the last i done: l, or more if it broke off.
 */
function chase(d: usize, e: usize, l: i32, m: i32, g: f64, work: usize): i32 {
  let s: f64 = 1;
  let c: f64 = 1;
  let p: f64 = 0;
  for (let i = m - 1; i >= l; i--) {
    const at = (<usize>i) << 3;
    const f = s * load<f64>(e + at);
    const b = c * load<f64>(e + at);
    const square = f * f + g * g;
    if (square < SMALLEST_SQUARE) {
      store<f64>(e + at, 0, 8);
      store<f64>(d + at, load<f64>(d + at, 8) - p, 8);
      return i + 1;
    }
    const r = sqrt(square);
    store<f64>(e + at, r, 8);
    const inverse = 1 / r;
    s = f * inverse;
    c = g * inverse;
    g = load<f64>(d + at, 8) - p;
    const q = (load<f64>(d + at) - g) * s + 2 * c * b;
    p = s * q;
    store<f64>(d + at, g + p, 8);
    g = c * q - b;
    const rotation = work + (at << 1);
    store<f64>(rotation, c);
    store<f64>(rotation, s, 8);
  }
  const first = (<usize>l) << 3;
  store<f64>(d + first, load<f64>(d + first) - p);
  store<f64>(e + first, g);
  return l;
}

/** Applies rotations m-1, m-2, .. l to the rows of z, a strip of columns at a time. */
export function applySweep(z: usize, step: usize, cols: i32, l: i32, m: i32, work: usize): void {
  if (l >= m) return;
  let top = z + <usize>l * step;
  let bottom = z + <usize>m * step;
  const rotations = work + ((<usize>m) << 4);
  let left = cols;
  for (; left >= 8; left -= 8) {
    strip8(top, bottom, step, rotations);
    top += 64;
    bottom += 64;
  }
  if (left > 0) strip4(top, bottom, step, rotations);
}

/** Eight columns: the row that the next rotation shares stays in registers. */
function strip8(top: usize, row: usize, step: usize, rotation: usize): void {
  if (ASC_FEATURE_SIMD) {
    let h0 = v128.load(row);
    let h1 = v128.load(row, 16);
    let h2 = v128.load(row, 32);
    let h3 = v128.load(row, 48);
    while (row > top) {
      rotation -= 16;
      const next = row - step;
      const c = v128.load64_splat(rotation);
      const s = v128.load64_splat(rotation, 8);
      let x = v128.load(next);
      v128.store(row, f64x2.add(f64x2.mul(s, x), f64x2.mul(c, h0)));
      h0 = f64x2.sub(f64x2.mul(c, x), f64x2.mul(s, h0));
      x = v128.load(next, 16);
      v128.store(row, f64x2.add(f64x2.mul(s, x), f64x2.mul(c, h1)), 16);
      h1 = f64x2.sub(f64x2.mul(c, x), f64x2.mul(s, h1));
      x = v128.load(next, 32);
      v128.store(row, f64x2.add(f64x2.mul(s, x), f64x2.mul(c, h2)), 32);
      h2 = f64x2.sub(f64x2.mul(c, x), f64x2.mul(s, h2));
      x = v128.load(next, 48);
      v128.store(row, f64x2.add(f64x2.mul(s, x), f64x2.mul(c, h3)), 48);
      h3 = f64x2.sub(f64x2.mul(c, x), f64x2.mul(s, h3));
      row = next;
    }
    v128.store(row, h0);
    v128.store(row, h1, 16);
    v128.store(row, h2, 32);
    v128.store(row, h3, 48);
  } else {
    strip4(top, row, step, rotation);
    strip4(top + 32, row + 32, step, rotation);
  }
}

function strip4(top: usize, row: usize, step: usize, rotation: usize): void {
  if (ASC_FEATURE_SIMD) {
    let h0 = v128.load(row);
    let h1 = v128.load(row, 16);
    while (row > top) {
      rotation -= 16;
      const next = row - step;
      const c = v128.load64_splat(rotation);
      const s = v128.load64_splat(rotation, 8);
      let x = v128.load(next);
      v128.store(row, f64x2.add(f64x2.mul(s, x), f64x2.mul(c, h0)));
      h0 = f64x2.sub(f64x2.mul(c, x), f64x2.mul(s, h0));
      x = v128.load(next, 16);
      v128.store(row, f64x2.add(f64x2.mul(s, x), f64x2.mul(c, h1)), 16);
      h1 = f64x2.sub(f64x2.mul(c, x), f64x2.mul(s, h1));
      row = next;
    }
    v128.store(row, h0);
    v128.store(row, h1, 16);
  } else {
    for (let j: usize = 0; j < 32; j += 8) strip1(top + j, row + j, step, rotation);
  }
}

function strip1(top: usize, row: usize, step: usize, rotation: usize): void {
  let h = load<f64>(row);
  while (row > top) {
    rotation -= 16;
    const next = row - step;
    const c = load<f64>(rotation);
    const s = load<f64>(rotation, 8);
    const x = load<f64>(next);
    store<f64>(row, s * x + c * h);
    h = c * x - s * h;
    row = next;
  }
  store<f64>(row, h);
}
