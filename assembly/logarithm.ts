/**
 * log and log1p by the formulas of fdlibm's e_log.c, operation by operation those of src/core/elementary.ts: the same bits.
 */

const LN2_HIGH: f64 = 6.9314718036912381649e-1; // 33 bits: its product with an exponent is exact
const LN2_LOW: f64 = 1.90821492927058770002e-10;

/** Natural logarithm; -Infinity at 0, NaN below. */
export function log(x: f64): f64 {
  if (!(x > 0.0 && x < Infinity)) return x == 0.0 ? -Infinity : x > 0.0 ? x : NaN;
  let k = 0;
  if (x < 2.2250738585072014e-308) {
    x *= 18014398509481984.0; // 2^54: a subnormal number becomes normal
    k = -54;
  }
  // x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2).
  const bits = reinterpret<u64>(x);
  k += (<i32>(bits >> 52) & 0x7ff) - 1023;
  let f = reinterpret<f64>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  if (f >= Math.SQRT2) {
    f *= 0.5;
    k++;
  }
  f -= 1.0;
  const s = f / (2.0 + f), z = s * s;
  let series = 1.531383769920937332e-1 + z * 1.479819860511658591e-1;
  series = 1.818357216161805012e-1 + z * series;
  series = 2.222219843214978396e-1 + z * series;
  series = 2.857142874366239149e-1 + z * series;
  series = 3.999999999940941908e-1 + z * series;
  series = z * (6.66666666666673513e-1 + z * series);
  const half = 0.5 * f * f, rest = s * (half + series);
  if (k == 0) return f - (half - rest);
  return <f64>k * LN2_HIGH - (half - (rest + <f64>k * LN2_LOW) - f);
}

/** ln(1 + x), without cancellation near 0; -Infinity at -1, NaN below. */
export function log1p(x: f64): f64 {
  const u = 1.0 + x;
  if (u == 1.0) return x;
  if (!(u > 0.0 && u < Infinity)) return log(u);
  return log(u) + (x - (u - 1.0)) / u;
}
