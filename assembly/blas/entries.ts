/**
 * Entries of f64, or of f32 that are widened as they are loaded, which rounds nothing: loops over `T` are one source for both.
 */

/** The entry at x. */
@inline export function entry<T>(x: usize): f64 {
  return sizeof<T>() == 4 ? <f64>load<f32>(x) : load<f64>(x);
}

/** The two entries from x on, and those after the first two, four and six: of loads only constant offsets are free. SIMD builds. */
@inline export function pair<T>(x: usize): v128 {
  return sizeof<T>() == 4 ? f64x2.promote_low_f32x4(v128.load64_zero(x)) : v128.load(x);
}
@inline export function pairAfter2<T>(x: usize): v128 {
  return sizeof<T>() == 4 ? f64x2.promote_low_f32x4(v128.load64_zero(x, 8)) : v128.load(x, 16);
}
@inline export function pairAfter4<T>(x: usize): v128 {
  return sizeof<T>() == 4 ? f64x2.promote_low_f32x4(v128.load64_zero(x, 16)) : v128.load(x, 32);
}
@inline export function pairAfter6<T>(x: usize): v128 {
  return sizeof<T>() == 4 ? f64x2.promote_low_f32x4(v128.load64_zero(x, 24)) : v128.load(x, 48);
}
