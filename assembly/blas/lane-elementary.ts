/**
 * exp and log of numbers side by side, in single precision, by Taylor's series on an interval around 0 and the exponent's bits.
 */
import { add, div, every, larger, mul, sub, whereLess } from "./lanes";

const LN2: f64 = 0.6931471805599453;
/** Below it exp is taken for what it is there: 1e-38, the least number that has all of its digits. */
const LOWEST: f64 = -87.0;
/** 1.5 * 2^23, whose last nine bits are zero. */
const WHOLE: f64 = 12582912.0;

/** exp(x) for x <= 0, within 3e-7 + 6e-8 |x| of it. */
@inline export function expLanes<T>(x: T): T {
  x = larger<T>(x, every<T>(LOWEST));
  // Beside so large a number nothing but whole ones is left, in the last bits.
  const whole = add<T>(mul<T>(x, every<T>(1.0 / LN2)), every<T>(WHOLE)), power = sub<T>(whole, every<T>(WHOLE));
  const r = sub<T>(x, mul<T>(power, every<T>(LN2)));
  let sum = every<T>(1.0 / 720.0);
  sum = add<T>(mul<T>(sum, r), every<T>(1.0 / 120.0));
  sum = add<T>(mul<T>(sum, r), every<T>(1.0 / 24.0));
  sum = add<T>(mul<T>(sum, r), every<T>(1.0 / 6.0));
  sum = add<T>(mul<T>(sum, r), every<T>(0.5));
  sum = add<T>(mul<T>(sum, r), every<T>(1.0));
  sum = add<T>(mul<T>(sum, r), every<T>(1.0));
  return mul<T>(sum, powerOfTwo<T>(whole));
}

/** log(x) for x of 1 <= x < 2, within 1e-7. */
@inline export function logLanes<T>(x: T): T {
  // Twice the inverse hyperbolic tangent, after x is brought to the square root of a half to that of two.
  const high = every<T>(1.4142135);
  const half = whereLess<T>(x, high, x, mul<T>(every<T>(0.5), x));
  const s = div<T>(sub<T>(half, every<T>(1.0)), add<T>(half, every<T>(1.0)));
  const square = mul<T>(s, s);
  let sum = every<T>(2.0 / 9.0);
  sum = add<T>(mul<T>(sum, square), every<T>(2.0 / 7.0));
  sum = add<T>(mul<T>(sum, square), every<T>(2.0 / 5.0));
  sum = add<T>(mul<T>(sum, square), every<T>(2.0 / 3.0));
  sum = add<T>(mul<T>(sum, square), every<T>(2.0));
  return add<T>(mul<T>(sum, s), whereLess<T>(x, high, every<T>(0.0), every<T>(LN2)));
}

/** 2^n of n + WHOLE, for whole -126 <= n <= 127. */
@inline function powerOfTwo<T>(whole: T): T {
  if (isVector<T>()) return <T>i32x4.shl(i32x4.add(<v128>whole, i32x4.splat(127)), 23);
  return <T>reinterpret<f32>((reinterpret<i32>(<f32>whole) + 127) << 23);
}

/** n of x = 2^n r with 1 <= r < 2, for x > 0 with all of its digits. */
@inline export function exponentOf<T>(x: T): T {
  if (isVector<T>()) {
    return <T>f32x4.convert_i32x4_s(i32x4.sub(i32x4.shr_u(<v128>x, 23), i32x4.splat(127)));
  }
  return <T><f32>(<i32>(reinterpret<u32>(<f32>x) >> 23) - 127);
}

/** That r. */
@inline export function mantissaOf<T>(x: T): T {
  if (isVector<T>()) {
    return <T>v128.or(v128.and(<v128>x, i32x4.splat(0x7fffff)), i32x4.splat(0x3f800000));
  }
  return <T>reinterpret<f32>((reinterpret<u32>(<f32>x) & 0x7fffff) | 0x3f800000);
}
