/**
 * Logistic losses and slopes of a block of predictions, two at a time: exp(-|t|) and
 * log1p(exp(-|t|)) at margins t = y p by the formulas of fdlibm's e_exp.c and e_log.c, whose domain
 * is all that is needed here: exp of x <= 0, log(1 + e) for 0 <= e <= 1. The loss and its slope
 * are within 1.5 ulp (measured against 140-bit arithmetic).
 *
 * One text serves both builds (T is v128 or f64), so both give the same bits. Constants are read
 * from memory, each twice: splats of literals inside SIMD loops are rebuilt on every pass by V8.
 */

const CONSTANTS: usize = memory.data<f64>(
  [
    1.44269504088896338700, 1.44269504088896338700, // 0: 1 / ln 2
    6.93147180369123816490e-01, 6.93147180369123816490e-01, // 16: ln 2, leading 33 bits
    1.90821492927058770002e-10, 1.90821492927058770002e-10, // 32: the rest of it
    1.66666666666666019037e-01, 1.66666666666666019037e-01, // 48: exp: P1 .. P5
    -2.77777777770155933842e-03, -2.77777777770155933842e-03,
    6.61375632143793436117e-05, 6.61375632143793436117e-05,
    -1.65339022054652515390e-06, -1.65339022054652515390e-06,
    4.13813679705723846039e-08, 4.13813679705723846039e-08,
    6.666666666666735130e-01, 6.666666666666735130e-01, // 128: log: L1 .. L7
    3.999999999940941908e-01, 3.999999999940941908e-01,
    2.857142874366239149e-01, 2.857142874366239149e-01,
    2.222219843214978396e-01, 2.222219843214978396e-01,
    1.818357216161805012e-01, 1.818357216161805012e-01,
    1.531383769920937332e-01, 1.531383769920937332e-01,
    1.479819860511658591e-01, 1.479819860511658591e-01,
    0.5, 0.5, // 240
    1.0, 1.0, // 256
    2.0, 2.0, // 272
    -760.0, -760.0, // 288: exp is 0 from here on
    0.41421356237309503, 0.41421356237309503, // 304: sqrt 2 - 1
    // 1.5 2^52 + 1023: added to an integer, it leaves the biased exponent in the low bits
    6755399441056767.0, 6755399441056767.0, // 320
  ],
  16,
);

@inline function constant<T>(offset: usize): T {
  return take<T>(CONSTANTS + offset);
}
@inline function take<T>(at: usize): T {
  if (isVector<T>()) return v128.load(at);
  else return load<f64>(at);
}
@inline function put<T>(at: usize, x: T): void {
  if (isVector<T>()) v128.store(at, x);
  else store<f64>(at, x);
}
@inline function add<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.add(a, b);
  else return a + b;
}
@inline function sub<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.sub(a, b);
  else return a - b;
}
@inline function mul<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.mul(a, b);
  else return a * b;
}
@inline function div<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.div(a, b);
  else return a / b;
}
@inline function larger<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.max(a, b);
  else return max(a, b);
}
@inline function round<T>(a: T): T {
  if (isVector<T>()) return f64x2.nearest(a);
  else return nearest(a);
}
@inline function minusAbs<T>(a: T): T {
  if (isVector<T>()) return f64x2.neg(f64x2.abs(a));
  else return -abs(a);
}
/** x > y ? a : b. */
@inline function choose<T>(x: T, y: T, a: T, b: T): T {
  if (isVector<T>()) return v128.bitselect(a, b, f64x2.gt(x, y));
  else return x > y ? a : b;
}
/** 2^n for an integer -1022 <= n <= 1023. */
@inline function power<T>(n: T): T {
  if (isVector<T>()) return i64x2.shl(f64x2.add(n, constant<v128>(320)), 52);
  else return reinterpret<f64>(reinterpret<u64>(n + constant<f64>(320)) << 52);
}

/** exp(x), x <= 0. */
@inline function expOf<T>(x0: T): T {
  const x = larger<T>(x0, constant<T>(288));
  const n = round<T>(mul<T>(x, constant<T>(0)));
  const high = sub<T>(x, mul<T>(n, constant<T>(16)));
  const low = mul<T>(n, constant<T>(32));
  const r = sub<T>(high, low);
  const t = mul<T>(r, r);
  let p = add<T>(constant<T>(96), mul<T>(t, constant<T>(112)));
  p = add<T>(constant<T>(80), mul<T>(t, p));
  p = add<T>(constant<T>(64), mul<T>(t, p));
  p = add<T>(constant<T>(48), mul<T>(t, p));
  const c = sub<T>(r, mul<T>(t, p));
  const q = div<T>(mul<T>(r, c), sub<T>(constant<T>(272), c));
  const y = sub<T>(constant<T>(256), sub<T>(sub<T>(low, q), high));
  // In two halves, for results below the smallest normal number.
  const half = round<T>(mul<T>(n, constant<T>(240)));
  return mul<T>(mul<T>(y, power<T>(half)), power<T>(sub<T>(n, half)));
}

/** log(1 + e), 0 <= e <= 1: as log(1 + f), or ln 2 + log(1 + f) with f = (e - 1) / 2. */
@inline function log1pOf<T>(e: T): T {
  const one = constant<T>(256), half = constant<T>(240), cut = constant<T>(304);
  const zero = sub<T>(one, one);
  const k = choose<T>(e, cut, one, zero);
  const f = choose<T>(e, cut, mul<T>(sub<T>(e, one), half), e);
  const s = div<T>(f, add<T>(constant<T>(272), f));
  const z = mul<T>(s, s);
  let p = add<T>(constant<T>(208), mul<T>(z, constant<T>(224)));
  p = add<T>(constant<T>(192), mul<T>(z, p));
  p = add<T>(constant<T>(176), mul<T>(z, p));
  p = add<T>(constant<T>(160), mul<T>(z, p));
  p = add<T>(constant<T>(144), mul<T>(z, p));
  p = add<T>(constant<T>(128), mul<T>(z, p));
  const square = mul<T>(half, mul<T>(f, f));
  const tail = add<T>(mul<T>(s, add<T>(square, mul<T>(z, p))), mul<T>(k, constant<T>(32)));
  return sub<T>(mul<T>(k, constant<T>(16)), sub<T>(sub<T>(square, tail), f));
}

/** p <- c loss'(p, y); returns exp(-|margin|). */
@inline function slope<T>(p: usize, y: usize, c: T): T {
  const label = take<T>(y);
  const margin = mul<T>(label, take<T>(p));
  const one = constant<T>(256);
  const zero = sub<T>(one, one);
  const e = expOf<T>(minusAbs<T>(margin));
  const numerator = choose<T>(zero, margin, one, e);
  put<T>(p, div<T>(mul<T>(mul<T>(sub<T>(zero, c), label), numerator), add<T>(one, e)));
  return e;
}

/** p <- c loss'(p, y); returns loss(p, y). */
@inline function logistic<T>(p: usize, y: usize, c: T): T {
  const one = constant<T>(256);
  const zero = sub<T>(one, one);
  const wrong = larger<T>(zero, sub<T>(zero, mul<T>(take<T>(y), take<T>(p))));
  return add<T>(log1pOf<T>(slope<T>(p, y, c)), wrong);
}

/** slope <- c loss'(p, y), curvature <- c loss''(p, y); returns loss(p, y). */
@inline function terms<T>(p: usize, y: usize, slope: usize, curvature: usize, c: T): T {
  const label = take<T>(y);
  const margin = mul<T>(label, take<T>(p));
  const one = constant<T>(256);
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
