/**
 * g += a0 x_0 + .. + a3 x_3 for g f64[n] and the first n entries of four rows `stride` bytes apart;
 * coefficients f64[4] at `a`.
 */
@inline export function addFour(a: usize, x: usize, stride: usize, g: usize, n: i32): void {
  const end = x + ((<usize>n) << 3);
  let x1 = x + stride, x2 = x1 + stride, x3 = x2 + stride;
  if (ASC_FEATURE_SIMD) {
    const a0 = v128.load64_splat(a), a1 = v128.load64_splat(a, 8);
    const a2 = v128.load64_splat(a, 16), a3 = v128.load64_splat(a, 24);
    for (const pairs = end - 15; x < pairs; x += 16) {
      const left = f64x2.add(f64x2.mul(a0, v128.load(x)), f64x2.mul(a1, v128.load(x1)));
      const right = f64x2.add(f64x2.mul(a2, v128.load(x2)), f64x2.mul(a3, v128.load(x3)));
      v128.store(g, f64x2.add(v128.load(g), f64x2.add(left, right)));
      x1 += 16;
      x2 += 16;
      x3 += 16;
      g += 16;
    }
  }
  for (; x < end; x += 8) {
    const left = load<f64>(a) * load<f64>(x) + load<f64>(a, 8) * load<f64>(x1);
    const right = load<f64>(a, 16) * load<f64>(x2) + load<f64>(a, 24) * load<f64>(x3);
    store<f64>(g, load<f64>(g) + (left + right));
    x1 += 8;
    x2 += 8;
    x3 += 8;
    g += 8;
  }
}
