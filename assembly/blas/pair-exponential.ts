/**
 * exp of numbers side by side by the formulas of fdlibm's e_exp.c, as src/core/elementary.ts has them: the same bits, unless x / ln 2 is
 * rounded to the middle of two whole numbers.
 *
 * Constants are read from memory, each twice: splats of literals inside SIMD loops are rebuilt on every pass by V8.
 */
import { add, div, larger, mul, round, sub, take } from "./pairs";

const CONSTANTS: usize = memory.data<f64>(
  [
    1.44269504088896338700, 1.44269504088896338700, // 0: 1 / ln 2
    6.93147180369123816490e-01, 6.93147180369123816490e-01, // 16: ln 2, leading 33 bits
    1.90821492927058770002e-10, 1.90821492927058770002e-10, // 32: the rest of it
    1.66666666666666019037e-01, 1.66666666666666019037e-01, // 48: P1 .. P5
    -2.77777777770155933842e-03, -2.77777777770155933842e-03,
    6.61375632143793436117e-05, 6.61375632143793436117e-05,
    -1.65339022054652515390e-06, -1.65339022054652515390e-06,
    4.13813679705723846039e-08, 4.13813679705723846039e-08,
    0.5, 0.5, // 128
    1.0, 1.0, // 144
    2.0, 2.0, // 160
    -760.0, -760.0, // 176: exp is 0 from here on
    // 1.5 2^52 + 1023: added to an integer, it leaves the biased exponent in the low bits
    6755399441056767.0, 6755399441056767.0, // 192
  ],
  16,
);

@inline function constant<T>(offset: usize): T {
  return take<T>(CONSTANTS + offset);
}

/** 2^n for an integer -1022 <= n <= 1023. */
@inline export function power<T>(n: T): T {
  if (isVector<T>()) return i64x2.shl(f64x2.add(n, constant<v128>(192)), 52);
  else return reinterpret<f64>(reinterpret<u64>(n + constant<f64>(192)) << 52);
}

/** exp(x), x <= 700. */
@inline export function expOf<T>(x0: T): T {
  const x = larger<T>(x0, constant<T>(176));
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
  const q = div<T>(mul<T>(r, c), sub<T>(constant<T>(160), c));
  const y = sub<T>(constant<T>(144), sub<T>(sub<T>(low, q), high));
  // In two halves, for results below the smallest normal number.
  const half = round<T>(mul<T>(n, constant<T>(128)));
  return mul<T>(mul<T>(y, power<T>(half)), power<T>(sub<T>(n, half)));
}
