/**
 * Wishart draws: Bartlett's factor times its transpose, the empty triangle skipped.
 *
 * W = scale R^T R with R upper triangular, R_kk^2 ~ chi-square(nu - k), k = 0 .. d-1, and standard
 * normals above the diagonal (Bartlett 1933; Odell and Feiveson 1966). W_ij sums k = 0 .. min(i, j).
 *
 * R is drawn straight into the layout that the product reads: panel p holds columns 4p .. 4p+3,
 * rows 0 .. 4p+3, row by row, and starts at byte 64 p (p + 1). Columns past d are zero.
 */
import { randomNormal } from "./random/normal";
import { randomChiSquare } from "./random/gamma";

const BLOCK_ROWS: i32 = 256; // 8 KiB of a panel: two of them stay in the first-level cache
const BLOCK_PANELS: i32 = 32; // 256 KiB: stay in the second level
const tile: usize = memory.data(128, 16); // f64[4, 4]

@inline function panelAt(work: usize, p: i32): usize {
  return work + ((<usize>p * <usize>(p + 1)) << 6);
}
@inline function panels(d: i32): i32 {
  return (d + 3) >> 2;
}

function drawPanel(state: usize, panel: usize, p: i32, d: i32, nu: f64): void {
  const first = p << 2;
  const width = min(4, d - first);
  if (width == 4) randomNormal(state, panel, <u32>first << 2);
  else {
    memory.fill(panel, 0, (<usize>first) << 5);
    for (let k = 0; k < first; k++) randomNormal(state, panel + ((<usize>k) << 5), width);
  }
  const corner = panel + ((<usize>first) << 5);
  memory.fill(corner, 0, 128);
  for (let r = 0; r < width; r++) {
    const at = corner + <usize>r * 40;
    store<f64>(at, Math.sqrt(randomChiSquare(state, nu - <f64>(first + r))));
    randomNormal(state, at + 8, width - 1 - r);
  }
}

// One text serves both builds: T is v128 (a 4 x 4 tile) or f64 (its left or right 4 x 2 half).

@inline function take<T>(at: usize): T {
  if (isVector<T>()) return v128.load(at);
  else return load<f64>(at);
}
@inline function put<T>(at: usize, x: T): void {
  if (isVector<T>()) v128.store(at, x);
  else store<f64>(at, x);
}
@inline function splat<T>(at: usize): T {
  if (isVector<T>()) return v128.load64_splat(at);
  else return load<f64>(at);
}
@inline function addProduct<T>(sum: T, a: T, b: T): T {
  if (isVector<T>()) return f64x2.add(sum, f64x2.mul(a, b));
  else return sum + a * b;
}

/** tile += sum over `rows` rows of p_row^T q_row, each entry summed in row order. */
function multiply<T>(p: usize, q: usize, rows: i32, t: usize): void {
  const wide = isVector<T>() ? 16 : 8;
  let c00 = take<T>(t), c01 = take<T>(t + wide);
  let c10 = take<T>(t + 32), c11 = take<T>(t + 32 + wide);
  let c20 = take<T>(t + 64), c21 = take<T>(t + 64 + wide);
  let c30 = take<T>(t + 96), c31 = take<T>(t + 96 + wide);
  const end = p + ((<usize>rows) << 5);
  while (p < end) {
    const b0 = take<T>(q), b1 = take<T>(q + wide);
    const a0 = splat<T>(p);
    c00 = addProduct<T>(c00, a0, b0);
    c01 = addProduct<T>(c01, a0, b1);
    const a1 = splat<T>(p + 8);
    c10 = addProduct<T>(c10, a1, b0);
    c11 = addProduct<T>(c11, a1, b1);
    const a2 = splat<T>(p + 16);
    c20 = addProduct<T>(c20, a2, b0);
    c21 = addProduct<T>(c21, a2, b1);
    const a3 = splat<T>(p + 24);
    c30 = addProduct<T>(c30, a3, b0);
    c31 = addProduct<T>(c31, a3, b1);
    p += 32;
    q += 32;
  }
  put<T>(t, c00), put<T>(t + wide, c01);
  put<T>(t + 32, c10), put<T>(t + 32 + wide, c11);
  put<T>(t + 64, c20), put<T>(t + 64 + wide, c21);
  put<T>(t + 96, c30), put<T>(t + 96 + wide, c31);
}

/** Adds rows k0 .. k0 + BLOCK_ROWS - 1 of panels p and q to their tile of `out`. */
function addTile(work: usize, out: usize, d: i32, p: i32, q: i32, k0: i32, scale: f64): void {
  const rows = min(BLOCK_ROWS, (p << 2) + 4 - k0);
  const stride = (<usize>d) << 3;
  const height = min(4, d - (p << 2)), width = min(4, d - (q << 2));
  const upper = out + <usize>(p << 2) * stride + ((<usize>q) << 5);
  memory.fill(tile, 0, 128);
  if (k0 > 0) {
    for (let r = 0; r < height; r++) {
      memory.copy(tile + ((<usize>r) << 5), upper + <usize>r * stride, (<usize>width) << 3);
    }
  }
  const from = (<usize>k0) << 5;
  if (ASC_FEATURE_SIMD) multiply<v128>(panelAt(work, p) + from, panelAt(work, q) + from, rows, tile);
  else {
    multiply<f64>(panelAt(work, p) + from, panelAt(work, q) + from, rows, tile);
    multiply<f64>(panelAt(work, p) + from, panelAt(work, q) + from + 16, rows, tile + 16);
  }
  const last = k0 + BLOCK_ROWS >= (p << 2) + 4;
  const factor = last ? scale : 1.0;
  const lower = out + <usize>(q << 2) * stride + ((<usize>p) << 5);
  for (let r = 0; r < height; r++) {
    for (let c = 0; c < width; c++) {
      const value = factor * load<f64>(tile + ((<usize>r) << 5) + ((<usize>c) << 3));
      store<f64>(upper + <usize>r * stride + ((<usize>c) << 3), value);
      if (last) store<f64>(lower + <usize>c * stride + ((<usize>r) << 3), value);
    }
  }
}

/**
 * out <- a draw of W_d(nu, scale I), f64[d, d], both triangles; nu > d - 1, real.
 *
 * work f64[8 P (P + 1)], P = ceil(d / 4); wiped, for it determines the noise.
 * Cost: d^2 / 2 normals, d chi-squares, d^3 / 3 flops. Both builds give the same bits: every entry
 * is summed in the order of k.
 */
export function wishart(state: usize, out: usize, d: i32, nu: f64, scale: f64, work: usize): void {
  const count = panels(d);
  for (let p = 0; p < count; p++) drawPanel(state, panelAt(work, p), p, d, nu);
  for (let k0 = 0; k0 < d; k0 += BLOCK_ROWS) {
    // Panels left of row k0 have no such row.
    for (let p0 = k0 >> 2; p0 < count; p0 += BLOCK_PANELS) {
      for (let q = p0; q < count; q++) {
        const stop = min(p0 + BLOCK_PANELS, q + 1);
        for (let p = p0; p < stop; p++) addTile(work, out, d, p, q, k0, scale);
      }
    }
  }
  memory.fill(work, 0, panelAt(0, count));
  memory.fill(tile, 0, 128);
}
export function wishartWorkspace(d: i32): f64 {
  const count = <f64>panels(d);
  return 64.0 * count * (count + 1.0);
}
