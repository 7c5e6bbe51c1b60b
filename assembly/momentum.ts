/**
 * sum_i (z[i] - w[i]) (w[i] - p[i]) for f64[n]: positive when the step from z went against the
 * move from p to w, which is when accelerated descent should start over.
 *
 * Cost: 4n flops. Rounding: two lanes summed in order, then added, the same in both builds.
 * Source: O'Donoghue and Candes (2015), the gradient restart scheme.
 */
export function momentumAngle(z: usize, w: usize, p: usize, n: i32): f64 {
  const pairs = n & ~1;
  let even: f64 = 0;
  let odd: f64 = 0;
  if (ASC_FEATURE_SIMD) {
    let sum = f64x2.splat(0);
    for (let i = 0; i < pairs; i += 2) {
      const at = (<usize>i) << 3;
      const here = v128.load(w + at);
      const move = f64x2.sub(here, v128.load(p + at));
      sum = f64x2.add(sum, f64x2.mul(f64x2.sub(v128.load(z + at), here), move));
    }
    even = f64x2.extract_lane(sum, 0);
    odd = f64x2.extract_lane(sum, 1);
  } else {
    for (let i = 0; i < pairs; i += 2) {
      const at = (<usize>i) << 3;
      even += term(z + at, w + at, p + at);
      odd += term(z + at + 8, w + at + 8, p + at + 8);
    }
  }
  let total = even + odd;
  if (pairs < n) {
    const at = (<usize>pairs) << 3;
    total += term(z + at, w + at, p + at);
  }
  return total;
}

/** out f64[m] += the same of every row of f64[m, d]. */
export function momentumAngles(z: usize, w: usize, p: usize, out: usize, m: i32, d: i32): void {
  const step = (<usize>d) << 3;
  for (const end = out + ((<usize>m) << 3); out < end; out += 8) {
    store<f64>(out, load<f64>(out) + momentumAngle(z, w, p, d));
    z += step;
    w += step;
    p += step;
  }
}

// @ts-ignore: decorator
@inline
function term(z: usize, w: usize, p: usize): f64 {
  const here = load<f64>(w);
  return (load<f64>(z) - here) * (here - load<f64>(p));
}
