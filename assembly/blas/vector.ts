/**
 * Level-1 loops over contiguous f64. Every sum runs in four interleaved partial sums of two lanes
 * (element i goes to partial sum i mod 8), added in a fixed order; the scalar build keeps the same
 * eight sums, so both builds round alike.
 */
import { entry, pair, pairAfter2, pairAfter4, pairAfter6 } from "./entries";

/** sum_i x[i] y[i]. */
@inline export function dot(x: usize, y: usize, n: i32): f64 {
  return dotOf<f64>(x, y, n);
}

/** The same for x of T, y f64. */
export function dotOf<T>(x: usize, y: usize, n: i32): f64 {
  const size = sizeof<T>();
  const end = x + <usize>n * size;
  const body = x + <usize>(n & ~7) * size;
  let sum: f64;
  if (ASC_FEATURE_SIMD) {
    let s0 = f64x2.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    while (x < body) {
      s0 = f64x2.add(s0, f64x2.mul(pair<T>(x), v128.load(y)));
      s1 = f64x2.add(s1, f64x2.mul(pairAfter2<T>(x), v128.load(y, 16)));
      s2 = f64x2.add(s2, f64x2.mul(pairAfter4<T>(x), v128.load(y, 32)));
      s3 = f64x2.add(s3, f64x2.mul(pairAfter6<T>(x), v128.load(y, 48)));
      x += 8 * size;
      y += 64;
    }
    s0 = f64x2.add(f64x2.add(s0, s1), f64x2.add(s2, s3));
    sum = f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1);
  } else {
    let s0: f64 = 0;
    let s1: f64 = 0;
    let s2: f64 = 0;
    let s3: f64 = 0;
    let s4: f64 = 0;
    let s5: f64 = 0;
    let s6: f64 = 0;
    let s7: f64 = 0;
    while (x < body) {
      s0 += entry<T>(x) * load<f64>(y);
      s1 += entry<T>(x + size) * load<f64>(y, 8);
      s2 += entry<T>(x + 2 * size) * load<f64>(y, 16);
      s3 += entry<T>(x + 3 * size) * load<f64>(y, 24);
      s4 += entry<T>(x + 4 * size) * load<f64>(y, 32);
      s5 += entry<T>(x + 5 * size) * load<f64>(y, 40);
      s6 += entry<T>(x + 6 * size) * load<f64>(y, 48);
      s7 += entry<T>(x + 7 * size) * load<f64>(y, 56);
      x += 8 * size;
      y += 64;
    }
    sum = s0 + s2 + (s4 + s6) + (s1 + s3 + (s5 + s7));
  }
  while (x < end) {
    sum += entry<T>(x) * load<f64>(y);
    x += size;
    y += 8;
  }
  return sum;
}

/** y[i] += alpha x[i]. */
@inline export function addScaled(alpha: f64, x: usize, y: usize, n: i32): void {
  addScaledOf<f64>(alpha, x, y, n);
}

/** The same for x of T, y f64. */
export function addScaledOf<T>(alpha: f64, x: usize, y: usize, n: i32): void {
  const size = sizeof<T>();
  const end = x + <usize>n * size;
  if (ASC_FEATURE_SIMD) {
    const a = f64x2.splat(alpha);
    const body = x + <usize>(n & ~3) * size;
    while (x < body) {
      v128.store(y, f64x2.add(v128.load(y), f64x2.mul(a, pair<T>(x))));
      v128.store(y, f64x2.add(v128.load(y, 16), f64x2.mul(a, pairAfter2<T>(x))), 16);
      x += 4 * size;
      y += 32;
    }
  }
  while (x < end) {
    store<f64>(y, load<f64>(y) + alpha * entry<T>(x));
    x += size;
    y += 8;
  }
}

/** y[i] <- x[i], for short runs, which take less than the call that memory.copy is. */
export function copy(x: usize, y: usize, n: i32): void {
  const end = x + ((<usize>n) << 3);
  if (ASC_FEATURE_SIMD) {
    for (const body = x + ((<usize>(n & ~1)) << 3); x < body; x += 16, y += 16) v128.store(y, v128.load(x));
  }
  for (; x < end; x += 8, y += 8) store<f64>(y, load<f64>(x));
}

/** x[i] *= alpha. */
export function scale(alpha: f64, x: usize, n: i32): void {
  const end = x + ((<usize>n) << 3);
  if (ASC_FEATURE_SIMD) {
    const a = f64x2.splat(alpha);
    const body = x + ((<usize>(n & ~1)) << 3);
    while (x < body) {
      v128.store(x, f64x2.mul(a, v128.load(x)));
      x += 16;
    }
  }
  while (x < end) {
    store<f64>(x, alpha * load<f64>(x));
    x += 8;
  }
}

/** (x, y) <- (c x - s y, s x + c y). */
export function rotate(x: usize, y: usize, c: f64, s: f64, n: i32): void {
  const end = x + ((<usize>n) << 3);
  if (ASC_FEATURE_SIMD) {
    const cc = f64x2.splat(c);
    const ss = f64x2.splat(s);
    const body = x + ((<usize>(n & ~1)) << 3);
    while (x < body) {
      const p = v128.load(x);
      const q = v128.load(y);
      v128.store(x, f64x2.sub(f64x2.mul(cc, p), f64x2.mul(ss, q)));
      v128.store(y, f64x2.add(f64x2.mul(ss, p), f64x2.mul(cc, q)));
      x += 16;
      y += 16;
    }
  }
  while (x < end) {
    const p = load<f64>(x);
    const q = load<f64>(y);
    store<f64>(x, c * p - s * q);
    store<f64>(y, s * p + c * q);
    x += 8;
    y += 8;
  }
}

/** max_i |x[i]|, 0 for n = 0. */
export function maxAbs(x: usize, n: i32): f64 {
  const end = x + ((<usize>n) << 3);
  let top: f64 = 0;
  if (ASC_FEATURE_SIMD) {
    let t0 = f64x2.splat(0);
    let t1 = t0;
    const body = x + ((<usize>(n & ~3)) << 3);
    while (x < body) {
      t0 = f64x2.max(t0, f64x2.abs(v128.load(x)));
      t1 = f64x2.max(t1, f64x2.abs(v128.load(x, 16)));
      x += 32;
    }
    t0 = f64x2.max(t0, t1);
    top = max(f64x2.extract_lane(t0, 0), f64x2.extract_lane(t0, 1));
  }
  while (x < end) {
    top = max(top, abs(load<f64>(x)));
    x += 8;
  }
  return top;
}

/**
 * The power of two that brings `top` into [1/2, 1): multiplying by it rounds nothing, and squares
 * of what it scales neither overflow nor, where they matter, underflow. 1 for 0.
 */
export function unitScale(top: f64): f64 {
  if (top == 0) return 1;
  // Clamped so that the factor itself, and its inverse, are normal numbers.
  const exponent = <i32>((reinterpret<u64>(top) >> 52) & 0x7ff) - 1022;
  return reinterpret<f64>((<u64>(1023 - max(-1022, min(1022, exponent)))) << 52);
}
