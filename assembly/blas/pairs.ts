/**
 * Numbers side by side in double precision: T is v128 with two of them, or f64 with the only one of a build without vectors. Either
 * sees the same operations in the same order, so that both builds give the same bits.
 */

/** Numbers that one T holds in this build. */
export const WIDTH: i32 = ASC_FEATURE_SIMD ? 2 : 1;

@inline export function take<T>(at: usize): T {
  if (isVector<T>()) return v128.load(at);
  else return load<f64>(at);
}
@inline export function put<T>(at: usize, x: T): void {
  if (isVector<T>()) v128.store(at, x);
  else store<f64>(at, x);
}
/** The number in memory, in every place. */
@inline export function takeOne<T>(at: usize): T {
  if (isVector<T>()) return v128.load64_splat(at);
  else return load<f64>(at);
}
/** The same number in every place. */
@inline export function both<T>(x: f64): T {
  if (isVector<T>()) return f64x2.splat(x);
  else return x;
}
@inline export function add<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.add(a, b);
  else return a + b;
}
@inline export function sub<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.sub(a, b);
  else return a - b;
}
@inline export function mul<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.mul(a, b);
  else return a * b;
}
@inline export function div<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.div(a, b);
  else return a / b;
}
@inline export function root<T>(a: T): T {
  if (isVector<T>()) return f64x2.sqrt(a);
  else return sqrt(a);
}
@inline export function size<T>(a: T): T {
  if (isVector<T>()) return f64x2.abs(a);
  else return abs(a);
}
@inline export function larger<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.max(a, b);
  else return max(a, b);
}
@inline export function smaller<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.min(a, b);
  else return min(a, b);
}
@inline export function round<T>(a: T): T {
  if (isVector<T>()) return f64x2.nearest(a);
  else return nearest(a);
}
/** x > y ? a : b. */
@inline export function choose<T>(x: T, y: T, a: T, b: T): T {
  if (isVector<T>()) return v128.bitselect(a, b, f64x2.gt(x, y));
  else return x > y ? a : b;
}
