/**
 * The door: whether a matrix that was just copied in may go to the kernels. One pass each, at the
 * speed of memory, because in a small product looking at every entry costs as much as the product.
 */

/** The exponent bits, which are all set in NaN and the infinities and in nothing else. */
const EXPONENT: i64 = 0x7ff0000000000000;
/** Entries looked at before the answers are read. */
const STRIP = 512;

/** Index of the first of n entries that is NaN or infinite; n if all are finite. */
export function firstNonFinite(x: usize, n: i32): i32 {
  for (let i = 0; i < n; i += STRIP) {
    const count = min(STRIP, n - i);
    const strip = x + ((<usize>i) << 3);
    let from = 0;
    if (ASC_FEATURE_SIMD) {
      const whole = count & ~3;
      if (!anyNonFinite(strip, whole, i64x2.splat(EXPONENT))) from = whole;
    }
    for (; from < count; from++) {
      if ((load<i64>(strip + ((<usize>from) << 3)) & EXPONENT) === EXPONENT) return i + from;
    }
  }
  return n;
}

/**
 * Whether any of n entries, n a multiple of 4, is NaN or infinite. The mask is a parameter, because
 * newer V8 builds a constant anew in every turn of a loop.
 */
function anyNonFinite(x: usize, n: i32, mask: v128): bool {
  const end = x + ((<usize>n) << 3);
  let found0 = i64x2.splat(0);
  let found1 = found0;
  while (x < end) {
    found0 = v128.or(found0, i64x2.eq(v128.and(v128.load(x), mask), mask));
    found1 = v128.or(found1, i64x2.eq(v128.and(v128.load(x, 16), mask), mask));
    x += 32;
  }
  return v128.any_true(v128.or(found0, found1));
}

/**
 * Index of the first row of X[rows, d] of which the squares of `unit` x do not sum to at most `limit`; `rows` if none. A sum is one of
 * every fourth entry from each of the first four, with what is left over in the first: the same bits in both builds.
 */
export function firstLongRow(x: usize, rows: i32, d: i32, unit: f64, limit: f64): i32 {
  for (let row = 0; row < rows; row++) {
    const end = x + ((<usize>d) << 3);
    const fours = x + ((<usize>(d & ~3)) << 3);
    let s0: f64 = 0;
    let s1: f64 = 0;
    let s2: f64 = 0;
    let s3: f64 = 0;
    if (ASC_FEATURE_SIMD) {
      let a = f64x2.splat(0);
      let b = a;
      const units = f64x2.splat(unit);
      for (; x < fours; x += 32) {
        const u = f64x2.mul(units, v128.load(x));
        const v = f64x2.mul(units, v128.load(x, 16));
        a = f64x2.add(a, f64x2.mul(u, u));
        b = f64x2.add(b, f64x2.mul(v, v));
      }
      s0 = f64x2.extract_lane(a, 0);
      s1 = f64x2.extract_lane(a, 1);
      s2 = f64x2.extract_lane(b, 0);
      s3 = f64x2.extract_lane(b, 1);
    } else {
      for (; x < fours; x += 32) {
        s0 += squared(unit * load<f64>(x));
        s1 += squared(unit * load<f64>(x, 8));
        s2 += squared(unit * load<f64>(x, 16));
        s3 += squared(unit * load<f64>(x, 24));
      }
    }
    for (; x < end; x += 8) s0 += squared(unit * load<f64>(x));
    if (!(s0 + s1 + (s2 + s3) <= limit)) return row;
  }
  return rows;
}

function squared(x: f64): f64 {
  return x * x;
}

/** Side of the blocks in which a matrix is compared with its transpose: two of them stay in cache. */
const BLOCK = 16;

/**
 * A <- (A + A^T) / 2 for A[n, n], finite. Returns the largest |a_ij - a_ji| relative to the largest
 * |a_ij|; 0 for a matrix of zeros.
 */
export function symmetrize(a: usize, n: i32): f64 {
  let largest: f64 = 0;
  let apart: f64 = 0;
  const row = (<usize>n) << 3;
  for (let i0 = 0; i0 < n; i0 += BLOCK) {
    for (let j0 = i0; j0 < n; j0 += BLOCK) {
      const iEnd = min(i0 + BLOCK, n);
      const jEnd = min(j0 + BLOCK, n);
      for (let i = i0; i < iEnd; i++) {
        const first = max(i, j0);
        let upper = a + ((<usize>(i * n + first)) << 3);
        let lower = a + ((<usize>(first * n + i)) << 3);
        for (let j = first; j < jEnd; j++) {
          const x = load<f64>(upper);
          const y = load<f64>(lower);
          if (abs(x) > largest) largest = abs(x);
          if (x !== y) {
            if (abs(y) > largest) largest = abs(y);
            // Halved first: the difference of two entries near the largest double overflows.
            const half = abs(x / 2 - y / 2);
            if (half > apart) apart = half;
            store<f64>(upper, x / 2 + y / 2);
            store<f64>(lower, x / 2 + y / 2);
          }
          upper += 8;
          lower += row;
        }
      }
    }
  }
  return apart === 0 ? 0 : apart / (largest / 2);
}
