/**
 * Four rows at once added to a vector.
 */
import { entry, pair } from "./entries";

/**
 * g += a0 x_0 + .. + a3 x_3 for g f64[n] and the first n entries, of T, of four rows `stride` bytes apart;
 * coefficients f64[4] at `a`.
 */
@inline export function addFour<T>(a: usize, x: usize, stride: usize, g: usize, n: i32): void {
  const size = sizeof<T>();
  const end = x + <usize>n * size;
  let x1 = x + stride, x2 = x1 + stride, x3 = x2 + stride;
  if (ASC_FEATURE_SIMD) {
    const a0 = v128.load64_splat(a), a1 = v128.load64_splat(a, 8);
    const a2 = v128.load64_splat(a, 16), a3 = v128.load64_splat(a, 24);
    for (const pairs = end - (2 * size - 1); x < pairs; x += 2 * size) {
      const left = f64x2.add(f64x2.mul(a0, pair<T>(x)), f64x2.mul(a1, pair<T>(x1)));
      const right = f64x2.add(f64x2.mul(a2, pair<T>(x2)), f64x2.mul(a3, pair<T>(x3)));
      v128.store(g, f64x2.add(v128.load(g), f64x2.add(left, right)));
      x1 += 2 * size;
      x2 += 2 * size;
      x3 += 2 * size;
      g += 16;
    }
  }
  for (; x < end; x += size) {
    const left = load<f64>(a) * entry<T>(x) + load<f64>(a, 8) * entry<T>(x1);
    const right = load<f64>(a, 16) * entry<T>(x2) + load<f64>(a, 24) * entry<T>(x3);
    store<f64>(g, load<f64>(g) + (left + right));
    x1 += size;
    x2 += size;
    x3 += size;
    g += 8;
  }
}
