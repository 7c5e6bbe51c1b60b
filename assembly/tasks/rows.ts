/** The two row operations under every task kernel: inner product and update. f64[d] each. */

/** x . w. */
export function rowDot(x: usize, w: usize, d: i32): f64 {
  const end = x + ((<usize>d) << 3);
  const full = x + ((<usize>(d & ~7)) << 3);
  let sum = 0.0;
  if (ASC_FEATURE_SIMD) {
    let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0;
    while (x < full) {
      s0 = f64x2.add(s0, f64x2.mul(v128.load(x), v128.load(w)));
      s1 = f64x2.add(s1, f64x2.mul(v128.load(x, 16), v128.load(w, 16)));
      s2 = f64x2.add(s2, f64x2.mul(v128.load(x, 32), v128.load(w, 32)));
      s3 = f64x2.add(s3, f64x2.mul(v128.load(x, 48), v128.load(w, 48)));
      x += 64;
      w += 64;
    }
    for (const pairs = end - 15; x < pairs; x += 16, w += 16) {
      s0 = f64x2.add(s0, f64x2.mul(v128.load(x), v128.load(w)));
    }
    s0 = f64x2.add(f64x2.add(s0, s1), f64x2.add(s2, s3));
    sum = f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1);
  } else {
    let s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    for (const quads = end - 31; x < quads; x += 32, w += 32) {
      s0 += load<f64>(x) * load<f64>(w);
      s1 += load<f64>(x, 8) * load<f64>(w, 8);
      s2 += load<f64>(x, 16) * load<f64>(w, 16);
      s3 += load<f64>(x, 24) * load<f64>(w, 24);
    }
    sum = (s0 + s2) + (s1 + s3);
  }
  for (; x < end; x += 8, w += 8) sum += load<f64>(x) * load<f64>(w);
  return sum;
}

/** g += alpha x. */
export function rowAdd(alpha: f64, x: usize, g: usize, d: i32): void {
  const end = x + ((<usize>d) << 3);
  if (ASC_FEATURE_SIMD) {
    const alphas = f64x2.splat(alpha);
    for (const pairs = end - 15; x < pairs; x += 16, g += 16) {
      v128.store(g, f64x2.add(v128.load(g), f64x2.mul(alphas, v128.load(x))));
    }
  }
  for (; x < end; x += 8, g += 8) store<f64>(g, load<f64>(g) + alpha * load<f64>(x));
}

/** g += a0 x_0 + .. + a3 x_3 for four consecutive rows of length d; coefficients f64[4] at `a`. */
export function rowAdd4(a: usize, x: usize, g: usize, d: i32): void {
  const stride = (<usize>d) << 3;
  const end = x + stride;
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
