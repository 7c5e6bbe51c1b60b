/**
 * Logistic losses and slopes of a block of predictions, two at a time: exp(-|t|) and
 * log1p(exp(-|t|)) at margins t = y p by the formulas of fdlibm's e_exp.c and e_log.c, whose domain
 * is all that is needed here: exp of x <= 0, log(1 + e) for 0 <= e <= 1. The loss and its slope
 * are within 1.5 ulp (measured against 140-bit arithmetic).
 *
 * One text serves both builds (T is v128 or f64), so both give the same bits. Constants lie in memory as those of
 * `blas/pair-exponential.ts` do.
 */
import { expOf } from "../blas/pair-exponential";
import { add, choose, div, larger, mul, put, sub, take } from "../blas/pairs";

const CONSTANTS: usize = memory.data<f64>(
  [
    6.93147180369123816490e-01, 6.93147180369123816490e-01, // 0: ln 2, leading 33 bits
    1.90821492927058770002e-10, 1.90821492927058770002e-10, // 16: the rest of it
    6.666666666666735130e-01, 6.666666666666735130e-01, // 32: log: L1 .. L7
    3.999999999940941908e-01, 3.999999999940941908e-01,
    2.857142874366239149e-01, 2.857142874366239149e-01,
    2.222219843214978396e-01, 2.222219843214978396e-01,
    1.818357216161805012e-01, 1.818357216161805012e-01,
    1.531383769920937332e-01, 1.531383769920937332e-01,
    1.479819860511658591e-01, 1.479819860511658591e-01,
    0.5, 0.5, // 144
    1.0, 1.0, // 160
    2.0, 2.0, // 176
    0.41421356237309503, 0.41421356237309503, // 192: sqrt 2 - 1
  ],
  16,
);

@inline function constant<T>(offset: usize): T {
  return take<T>(CONSTANTS + offset);
}
@inline function minusAbs<T>(a: T): T {
  if (isVector<T>()) return f64x2.neg(f64x2.abs(a));
  else return -abs(a);
}

/** log(1 + e), 0 <= e <= 1: as log(1 + f), or ln 2 + log(1 + f) with f = (e - 1) / 2. */
@inline function log1pOf<T>(e: T): T {
  const one = constant<T>(160), half = constant<T>(144), cut = constant<T>(192);
  const zero = sub<T>(one, one);
  const k = choose<T>(e, cut, one, zero);
  const f = choose<T>(e, cut, mul<T>(sub<T>(e, one), half), e);
  const s = div<T>(f, add<T>(constant<T>(176), f));
  const z = mul<T>(s, s);
  let p = add<T>(constant<T>(112), mul<T>(z, constant<T>(128)));
  p = add<T>(constant<T>(96), mul<T>(z, p));
  p = add<T>(constant<T>(80), mul<T>(z, p));
  p = add<T>(constant<T>(64), mul<T>(z, p));
  p = add<T>(constant<T>(48), mul<T>(z, p));
  p = add<T>(constant<T>(32), mul<T>(z, p));
  const square = mul<T>(half, mul<T>(f, f));
  const tail = add<T>(mul<T>(s, add<T>(square, mul<T>(z, p))), mul<T>(k, constant<T>(16)));
  return sub<T>(mul<T>(k, constant<T>(0)), sub<T>(sub<T>(square, tail), f));
}

/** p <- c loss'(p, y); returns exp(-|margin|). */
@inline function slope<T>(p: usize, y: usize, c: T): T {
  const label = take<T>(y);
  const margin = mul<T>(label, take<T>(p));
  const one = constant<T>(160);
  const zero = sub<T>(one, one);
  const e = expOf<T>(minusAbs<T>(margin));
  const numerator = choose<T>(zero, margin, one, e);
  put<T>(p, div<T>(mul<T>(mul<T>(sub<T>(zero, c), label), numerator), add<T>(one, e)));
  return e;
}

/** p <- c loss'(p, y); returns loss(p, y). */
@inline function logistic<T>(p: usize, y: usize, c: T): T {
  const one = constant<T>(160);
  const zero = sub<T>(one, one);
  const wrong = larger<T>(zero, sub<T>(zero, mul<T>(take<T>(y), take<T>(p))));
  return add<T>(log1pOf<T>(slope<T>(p, y, c)), wrong);
}

/** slope <- c loss'(p, y), curvature <- c loss''(p, y); returns loss(p, y). */
@inline function terms<T>(p: usize, y: usize, slope: usize, curvature: usize, c: T): T {
  const label = take<T>(y);
  const margin = mul<T>(label, take<T>(p));
  const one = constant<T>(160);
  const zero = sub<T>(one, one);
  const e = expOf<T>(minusAbs<T>(margin));
  const share = div<T>(c, add<T>(one, e));
  const numerator = choose<T>(zero, margin, one, e);
  put<T>(slope, mul<T>(mul<T>(sub<T>(zero, label), numerator), share));
  put<T>(curvature, div<T>(mul<T>(e, share), add<T>(one, e)));
  return add<T>(log1pOf<T>(e), larger<T>(zero, sub<T>(zero, margin)));
}

/** p[j] <- c loss'(p[j], y[j]) for f64[n], n even; sums of the losses of even and of odd j added. */
function pairs(p: usize, y: usize, n: i32, c: f64): f64 {
  const end = p + ((<usize>n) << 3);
  if (ASC_FEATURE_SIMD) {
    const factor = f64x2.splat(c);
    let sum = f64x2.splat(0);
    for (; p < end; p += 16, y += 16) sum = f64x2.add(sum, logistic<v128>(p, y, factor));
    return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
  }
  let even = 0.0, odd = 0.0;
  for (; p < end; p += 16, y += 16) {
    even += logistic<f64>(p, y, c);
    odd += logistic<f64>(p + 8, y + 8, c);
  }
  return even + odd;
}

/** The same without the losses. */
function slopePairs(p: usize, y: usize, n: i32, c: f64): void {
  const end = p + ((<usize>n) << 3);
  if (ASC_FEATURE_SIMD) {
    const factor = f64x2.splat(c);
    for (; p < end; p += 16, y += 16) slope<v128>(p, y, factor);
  } else {
    for (; p < end; p += 8, y += 8) slope<f64>(p, y, c);
  }
}

/** The same with curvatures, and slopes apart. */
function termPairs(p: usize, y: usize, slopes: usize, curvatures: usize, n: i32, c: f64): f64 {
  const end = (<usize>n) << 3;
  if (ASC_FEATURE_SIMD) {
    const factor = f64x2.splat(c);
    let sum = f64x2.splat(0);
    for (let j: usize = 0; j < end; j += 16) {
      sum = f64x2.add(sum, terms<v128>(p + j, y + j, slopes + j, curvatures + j, factor));
    }
    return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
  }
  let even = 0.0, odd = 0.0;
  for (let j: usize = 0; j < end; j += 8) {
    const value = terms<f64>(p + j, y + j, slopes + j, curvatures + j, c);
    if (j & 8) odd += value;
    else even += value;
  }
  return even + odd;
}

/** The last row of an odd number, beside one whose loss is 0: p, y, slopes and curvatures, each f64[2]. */
const LAST: usize = memory.data(64, 16);

@inline function takeLast(p: usize, y: usize): void {
  store<f64>(LAST, load<f64>(p));
  store<f64>(LAST, 1000.0, 8);
  store<f64>(LAST, load<f64>(y), 16);
  store<f64>(LAST, 1.0, 24);
}

/** p[j] <- c loss'(p[j], y[j]) for f64[n], y in {-1, +1}; returns sum_j loss(p[j], y[j]). */
export function logisticSlopes(p: usize, y: usize, n: i32, c: f64): f64 {
  const sum = pairs(p, y, n & ~1, c);
  if (!(n & 1)) return sum;
  const end = (<usize>(n - 1)) << 3;
  takeLast(p + end, y + end);
  const last = pairs(LAST, LAST + 16, 2, c);
  store<f64>(p + end, load<f64>(LAST));
  return sum + last;
}

/** `logisticSlopes` without the losses, to the same bits. */
export function logisticSlopesOnly(p: usize, y: usize, n: i32, c: f64): void {
  slopePairs(p, y, n & ~1, c);
  if (!(n & 1)) return;
  const end = (<usize>(n - 1)) << 3;
  takeLast(p + end, y + end);
  slopePairs(LAST, LAST + 16, 2, c);
  store<f64>(p + end, load<f64>(LAST));
}

/** slopes[j] <- c loss'(p[j], y[j]), curvatures[j] <- c loss''(p[j], y[j]) for f64[n]; returns sum_j loss(p[j], y[j]). */
export function logisticTerms(
  p: usize, y: usize, slopes: usize, curvatures: usize, n: i32, c: f64,
): f64 {
  const sum = termPairs(p, y, slopes, curvatures, n & ~1, c);
  if (!(n & 1)) return sum;
  const end = (<usize>(n - 1)) << 3;
  takeLast(p + end, y + end);
  const last = termPairs(LAST, LAST + 16, LAST + 32, LAST + 48, 2, c);
  store<f64>(slopes + end, load<f64>(LAST, 32));
  store<f64>(curvatures + end, load<f64>(LAST, 48));
  return sum + last;
}
