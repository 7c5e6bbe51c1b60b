/**
 * Matrix product on a packed 4 x 4 register tile.
 *
 * After Goto and van de Geijn (2008), "Anatomy of high-performance matrix multiplication": the
 * operands are copied block by block into slivers that the innermost loop reads front to back.
 * A sliver of A (4 x KC) stays in the first-level cache while the slivers of a block of B
 * (KC x NC, second-level cache) stream past it. The loops are in ./gemm, the copies in ./pack.
 *
 * Rounding: each entry is summed over k in order within blocks of KC, the blocks in order. Lanes
 * hold different entries, never parts of one sum, so the scalar build gives the same bits.
 * Test: within 2k 2^-53 sum_k |a_ik b_kj| of a plain loop, entry by entry.
 */

/** C = A B. */
export const OVERWRITE: i32 = 0;
/** C += A B. */
export const ADD: i32 = 1;
/** C -= A B. */
export const SUBTRACT: i32 = 2;

/**
 * C[4,4] (rows `ldc` bytes apart) = / += / -= a sliver of A times a sliver of B.
 *
 * a  for each k four entries of A, each twice: a load fills both lanes, and unlike a splatting
 *    load it folds its offset into the instruction (21.5 against 18 GFLOP/s)
 * b  for each k four entries of B
 */
export function tile(a: usize, b: usize, depth: i32, c: usize, ldc: usize, mode: i32): void {
  if (ASC_FEATURE_SIMD) tileOfVectors(a, b, depth, c, ldc, mode);
  else {
    // Two columns at a time: sixteen sums would not fit the registers.
    tileHalf(a, b, depth, c, ldc, mode);
    tileHalf(a, b + 16, depth, c + 16, ldc, mode);
  }
}

/** sum + x y; fused, where the build allows what differs between hosts. */
@inline export function addProduct(sum: v128, x: v128, y: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f64x2.relaxed_madd(x, y, sum);
  return f64x2.add(sum, f64x2.mul(x, y));
}

function tileOfVectors(a: usize, b: usize, depth: i32, c: usize, ldc: usize, mode: i32): void {
  const end = b + ((<usize>depth) << 5);
  let c00 = f64x2.splat(0);
  let c01 = c00;
  let c10 = c00;
  let c11 = c00;
  let c20 = c00;
  let c21 = c00;
  let c30 = c00;
  let c31 = c00;
  while (b < end) {
    let b0 = v128.load(b);
    let b1 = v128.load(b, 16);
    let x = v128.load(a);
    c00 = addProduct(c00, x, b0);
    c01 = addProduct(c01, x, b1);
    x = v128.load(a, 16);
    c10 = addProduct(c10, x, b0);
    c11 = addProduct(c11, x, b1);
    x = v128.load(a, 32);
    c20 = addProduct(c20, x, b0);
    c21 = addProduct(c21, x, b1);
    x = v128.load(a, 48);
    c30 = addProduct(c30, x, b0);
    c31 = addProduct(c31, x, b1);
    b += 32;
    // Old V8 hoists all loads of an unrolled body to its top and spills; a way out stops that.
    if (b >= end) break;
    b0 = v128.load(b);
    b1 = v128.load(b, 16);
    x = v128.load(a, 64);
    c00 = addProduct(c00, x, b0);
    c01 = addProduct(c01, x, b1);
    x = v128.load(a, 80);
    c10 = addProduct(c10, x, b0);
    c11 = addProduct(c11, x, b1);
    x = v128.load(a, 96);
    c20 = addProduct(c20, x, b0);
    c21 = addProduct(c21, x, b1);
    x = v128.load(a, 112);
    c30 = addProduct(c30, x, b0);
    c31 = addProduct(c31, x, b1);
    a += 128;
    b += 32;
  }
  if (mode == OVERWRITE) {
    v128.store(c, c00);
    v128.store(c, c01, 16);
    c += ldc;
    v128.store(c, c10);
    v128.store(c, c11, 16);
    c += ldc;
    v128.store(c, c20);
    v128.store(c, c21, 16);
    c += ldc;
    v128.store(c, c30);
    v128.store(c, c31, 16);
  } else if (mode == ADD) {
    v128.store(c, f64x2.add(v128.load(c), c00));
    v128.store(c, f64x2.add(v128.load(c, 16), c01), 16);
    c += ldc;
    v128.store(c, f64x2.add(v128.load(c), c10));
    v128.store(c, f64x2.add(v128.load(c, 16), c11), 16);
    c += ldc;
    v128.store(c, f64x2.add(v128.load(c), c20));
    v128.store(c, f64x2.add(v128.load(c, 16), c21), 16);
    c += ldc;
    v128.store(c, f64x2.add(v128.load(c), c30));
    v128.store(c, f64x2.add(v128.load(c, 16), c31), 16);
  } else {
    v128.store(c, f64x2.sub(v128.load(c), c00));
    v128.store(c, f64x2.sub(v128.load(c, 16), c01), 16);
    c += ldc;
    v128.store(c, f64x2.sub(v128.load(c), c10));
    v128.store(c, f64x2.sub(v128.load(c, 16), c11), 16);
    c += ldc;
    v128.store(c, f64x2.sub(v128.load(c), c20));
    v128.store(c, f64x2.sub(v128.load(c, 16), c21), 16);
    c += ldc;
    v128.store(c, f64x2.sub(v128.load(c), c30));
    v128.store(c, f64x2.sub(v128.load(c, 16), c31), 16);
  }
}

/** Writes, adds or subtracts one entry of C. */
export function put(c: usize, value: f64, mode: i32): void {
  if (mode == OVERWRITE) store<f64>(c, value);
  else if (mode == ADD) store<f64>(c, load<f64>(c) + value);
  else store<f64>(c, load<f64>(c) - value);
}

/** Two columns of the tile, in scalars, the sums in the same order. */
function tileHalf(a: usize, b: usize, depth: i32, c: usize, ldc: usize, mode: i32): void {
  const end = b + ((<usize>depth) << 5);
  let s00: f64 = 0;
  let s01: f64 = 0;
  let s10: f64 = 0;
  let s11: f64 = 0;
  let s20: f64 = 0;
  let s21: f64 = 0;
  let s30: f64 = 0;
  let s31: f64 = 0;
  while (b < end) {
    const b0 = load<f64>(b);
    const b1 = load<f64>(b, 8);
    let x = load<f64>(a);
    s00 += x * b0;
    s01 += x * b1;
    x = load<f64>(a, 16);
    s10 += x * b0;
    s11 += x * b1;
    x = load<f64>(a, 32);
    s20 += x * b0;
    s21 += x * b1;
    x = load<f64>(a, 48);
    s30 += x * b0;
    s31 += x * b1;
    a += 64;
    b += 32;
  }
  put(c, s00, mode);
  put(c + 8, s01, mode);
  c += ldc;
  put(c, s10, mode);
  put(c + 8, s11, mode);
  c += ldc;
  put(c, s20, mode);
  put(c + 8, s21, mode);
  c += ldc;
  put(c, s30, mode);
  put(c + 8, s31, mode);
}
