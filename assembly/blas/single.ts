/**
 * Products with a symmetric matrix that is known in single precision, less the identity.
 *
 * Out = X A = X + X (A - I): what is rounded to single precision is the second term, so that rows
 * that A hardly changes keep their digits. A register holds twice as many numbers as in double
 * precision.
 */
import { maxAbs, unitScale } from "./vector";

/** Columns of a panel: A[:, 8p .. 8p + 7], row by row. */
const WIDTH: i32 = 8;
/** Rows of X that are taken together. */
const QUAD: i32 = 4;
/** Terms that are summed in single precision: a panel's part of 16 KB. */
const DEPTH: i32 = 512;
/** Bytes of the sums of one tile, and of four rows' scales. */
const TILE_BYTES: usize = 128;

function panelCount(d: i32): i32 {
  return (d + WIDTH - 1) / WIDTH;
}

/** Bytes of the panels of A[d,d]. */
export function singlePanelsBytes(d: i32): f64 {
  return 4 * <f64>WIDTH * <f64>panelCount(d) * <f64>d;
}

/** panels <- A - I for symmetric A, f32[d (d + 1) / 2] its lower triangle row by row. */
export function singlePanels(triangle: usize, panels: usize, d: i32): void {
  let to = panels;
  for (let first = 0; first < panelCount(d) * WIDTH; first += WIDTH) {
    for (let k = 0; k < d; k++) {
      for (let j = first; j < first + WIDTH; j++) {
        let value: f32 = 0;
        if (j < d) {
          const row = <usize>max(j, k);
          value = load<f32>(triangle + ((row * (row + 1)) << 1) + ((<usize>min(j, k)) << 2));
          if (j == k) value -= 1;
        }
        store<f32>(to, value);
        to += 4;
      }
    }
  }
}

/** Bytes of workspace of `singleProduct`. */
export function singleProductWorkspace(m: i32, d: i32): f64 {
  const quads = <f64>((m + QUAD - 1) / QUAD);
  return <f64>TILE_BYTES + quads * <f64>QUAD * (8 + 4 * <f64>d);
}

/**
 * out[m,d] <- X A for X f64[m,d]; out must not overlap X.
 *
 * panels of A - I, from `singlePanels`
 * work   `singleProductWorkspace` bytes
 * Rows are scaled by powers of two to entries below 1 first. Rounding: X (A - I) within
 * (514 + d / 512) 2^-24 of |X| |A - I|, entry by entry. Each row's result depends on that row and
 * A only.
 */
export function singleProduct(
  x: usize,
  panels: usize,
  out: usize,
  m: i32,
  d: i32,
  work: usize,
): void {
  const quads = (m + QUAD - 1) / QUAD;
  const scales = work + TILE_BYTES;
  const packed = scales + ((<usize>quads * QUAD) << 3);
  const rowBytes = (<usize>d) << 3;
  const quadBytes = (<usize>d) << 4;
  for (let i = 0; i < quads * QUAD; i++) {
    const to = packed + <usize>(i / QUAD) * quadBytes + ((<usize>(i & 3)) << 2);
    if (i < m) {
      const row = x + <usize>i * rowBytes;
      memory.copy(out + <usize>i * rowBytes, row, rowBytes);
      const factor = unitScale(maxAbs(row, d));
      store<f64>(scales + ((<usize>i) << 3), 1 / factor);
      for (let k = 0; k < d; k++) {
        store<f32>(to + ((<usize>k) << 4), <f32>(factor * load<f64>(row + ((<usize>k) << 3))));
      }
    } else {
      for (let k = 0; k < d; k++) store<f32>(to + ((<usize>k) << 4), 0);
    }
  }
  const panelBytes = (<usize>d * WIDTH) << 2;
  for (let l = 0; l < d; l += DEPTH) {
    const depth = min(DEPTH, d - l);
    for (let p = 0; p < panelCount(d); p++) {
      const part = panels + <usize>p * panelBytes + ((<usize>l * WIDTH) << 2);
      const cols = min(WIDTH, d - p * WIDTH);
      for (let q = 0; q < quads; q++) {
        tile(packed + <usize>q * quadBytes + ((<usize>l) << 4), part, depth, work);
        const rows = min(QUAD, m - q * QUAD);
        for (let i = 0; i < rows; i++) {
          const row = q * QUAD + i;
          const scale = load<f64>(scales + ((<usize>row) << 3));
          const to = out + <usize>row * rowBytes + ((<usize>(p * WIDTH)) << 3);
          addScaled(scale, work + ((<usize>(i * WIDTH)) << 2), to, cols);
        }
      }
    }
  }
}

/** y[n] += scale x for x f32[n]. */
@inline function addScaled(scale: f64, x: usize, y: usize, n: i32): void {
  for (const end = x + ((<usize>n) << 2); x < end; x += 4) {
    store<f64>(y, load<f64>(y) + scale * <f64>load<f32>(x));
    y += 8;
  }
}

/** sums f32[4,8] <- the quad's `depth` columns times as many rows of the panel. */
function tile(x: usize, a: usize, depth: i32, sums: usize): void {
  const end = x + ((<usize>depth) << 4);
  if (ASC_FEATURE_SIMD) {
    let s00 = f32x4.splat(0), s01 = s00, s10 = s00, s11 = s00;
    let s20 = s00, s21 = s00, s30 = s00, s31 = s00;
    for (; x < end; x += 16) {
      const a0 = v128.load(a), a1 = v128.load(a, 16);
      const x0 = v128.load32_splat(x);
      s00 = f32x4.add(s00, f32x4.mul(x0, a0));
      s01 = f32x4.add(s01, f32x4.mul(x0, a1));
      const x1 = v128.load32_splat(x, 4);
      s10 = f32x4.add(s10, f32x4.mul(x1, a0));
      s11 = f32x4.add(s11, f32x4.mul(x1, a1));
      const x2 = v128.load32_splat(x, 8);
      s20 = f32x4.add(s20, f32x4.mul(x2, a0));
      s21 = f32x4.add(s21, f32x4.mul(x2, a1));
      const x3 = v128.load32_splat(x, 12);
      s30 = f32x4.add(s30, f32x4.mul(x3, a0));
      s31 = f32x4.add(s31, f32x4.mul(x3, a1));
      a += 32;
    }
    v128.store(sums, s00);
    v128.store(sums, s01, 16);
    v128.store(sums, s10, 32);
    v128.store(sums, s11, 48);
    v128.store(sums, s20, 64);
    v128.store(sums, s21, 80);
    v128.store(sums, s30, 96);
    v128.store(sums, s31, 112);
  } else {
    memory.fill(sums, 0, TILE_BYTES);
    for (; x < end; x += 16) {
      for (let i: usize = 0; i < 4; i++) {
        const factor = load<f32>(x + (i << 2));
        const row = sums + (i << 5);
        for (let j: usize = 0; j < 32; j += 4) {
          store<f32>(row + j, load<f32>(row + j) + factor * load<f32>(a + j));
        }
      }
      a += 32;
    }
  }
}
