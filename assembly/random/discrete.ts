/**
 * Discrete Gaussian noise, sampled exactly: integer comparisons of random words only, no rounding
 * anywhere, so the law below is the law of what is released (given ideal random words).
 *
 *   N_Z(0, c s^2):  P(x) proportional to exp(-x^2 / (2 c s^2)) on the integers, s integer, c = 1, 2.
 *
 * Write |x| = s k + u, 0 <= u < s, f = u / s; then x^2 / (2 c s^2) = (k^2 + 2 k f + f^2) / (2 c).
 * k is geometric with ratio exp(-1/(2c)), kept with probability exp(-k (k-1) / (2c)); u is uniform,
 * kept with exp(-f/c)^k exp(-f^2 / (2c)); the sign is fair and -0 is drawn again (Karney 2016,
 * "Sampling exactly from the normal distribution"). Every factor is a Bernoulli(exp(-g)), g <= 1,
 * by the alternating series of Canonne, Kamath and Steinke (2020), Algorithm 1; its steps
 * Bernoulli(g / j) are products of Bernoulli(1 / integer) and Bernoulli(u / s). Nothing exceeds 64
 * bits for s <= 2^46.
 *
 * Privacy: N_Z(0, v) on integers of sensitivity D is D^2 / (2 v)-zCDP, coordinate by coordinate as
 * its continuous twin (same paper, Theorem 4 and Theorem 14).
 */
import { next32, next64 } from "./chacha";

/** Uniform on 0 .. n-1, n >= 1: masked words, those beyond n drawn again. */
function below(state: usize, n: u32): u32 {
  if (n == 1) return 0;
  const mask = <u32>-1 >> <u32>clz<u32>(n - 1);
  while (true) {
    const r = next32(state) & mask;
    if (r < n) return r;
  }
}
function below64(state: usize, n: u64, mask: u64): u64 {
  while (true) {
    const r = next64(state) & mask;
    if (r < n) return r;
  }
}

/** Bernoulli(exp(-1 / n)). */
function expInverse(state: usize, n: u32): bool {
  let j: u32 = 1;
  while (below(state, n * j) == 0) j++;
  return (j & 1) == 1;
}

/** Bernoulli(exp(-(u/s)^power / n)), power 1 or 2. */
function expFraction(state: usize, u: u64, s: u64, mask: u64, power: i32, n: u32): bool {
  let j: u32 = 1;
  while (
    below(state, n * j) == 0 &&
    below64(state, s, mask) < u &&
    (power == 1 || below64(state, s, mask) < u)
  ) {
    j++;
  }
  return (j & 1) == 1;
}

/** |x| = s k + u for one try, or -1 if it is rejected. */
function attempt(state: usize, s: u64, mask: u64, c: u32): i64 {
  let k: u32 = 0;
  while (expInverse(state, 2 * c)) k++;
  for (let i: u32 = 1; i < k; i++) {
    // k (k - 1) = 2 (1 + 2 + .. + (k - 1))
    for (let trial: u32 = 0; trial < 2 * i; trial++) {
      if (!expInverse(state, 2 * c)) return -1;
    }
  }
  const u = below64(state, s, mask);
  for (let i: u32 = 0; i < k; i++) {
    if (!expFraction(state, u, s, mask, 1, c)) return -1;
  }
  if (!expFraction(state, u, s, mask, 2, 2 * c)) return -1;
  return <i64>(s * <u64>k + u);
}

/** One draw of N_Z(0, c s^2). */
function draw(state: usize, s: u64, mask: u64, c: u32): i64 {
  while (true) {
    const size = attempt(state, s, mask, c);
    if (size < 0) continue;
    const negative = below(state, 2) == 1;
    if (size == 0 && negative) continue;
    return negative ? -size : size;
  }
}

@inline function maskOf(s: u64): u64 {
  return s == 1 ? 0 : <u64>-1 >> clz<u64>(s - 1);
}

/** out f64[n] <- independent draws of N_Z(0, c s^2); s integer, 1 <= s <= 2^46; c 1 or 2. */
export function discreteGaussian(state: usize, out: usize, n: u32, s: f64, c: u32): void {
  const size = <u64>s;
  const mask = maskOf(size);
  for (let i: u32 = 0; i < n; i++) {
    store<f64>(out + ((<usize>i) << 3), <f64>draw(state, size, mask, c));
  }
}

const MOST: f64 = 4611686018427387904.0; // 2^62

/** Nearest multiple of step = 2^e, in steps, ties to even, held within +-2^62; NaN is 0. */
@inline function toGrid(x: f64, step: f64): i64 {
  const cells = nearest(x / step);
  return cells == cells ? <i64>max(-MOST, min(MOST, cells)) : 0;
}

/**
 * v[i] <- step (round(v[i] / step) + N_Z(0, s^2)) for f64[n]; step a power of two, s as above.
 *
 * Rounding and clamping happen before the noise and move the difference of two neighbours by at
 * most one step an entry: account with Delta_2 + step sqrt(n). The sum is exact in 64 bits; its
 * conversion to f64 comes after the noise and is post-processing.
 */
export function addDiscreteNormal(state: usize, v: usize, n: u32, s: f64, step: f64): void {
  const size = <u64>s;
  const mask = maskOf(size);
  for (let i: u32 = 0; i < n; i++) {
    const at = v + ((<usize>i) << 3);
    const cells = toGrid(load<f64>(at), step) + draw(state, size, mask, 1);
    store<f64>(at, <f64>cells * step);
  }
}

/**
 * S <- step (round(S / step) + E) for f64[d, d], upper triangle read, result symmetric: E_ij is
 * N_Z(0, s^2) above the diagonal and N_Z(0, 2 s^2) on it, the discrete twin of `addSymmetricNormal`
 * with sigma = sqrt(2) s step. (Both variances are integers; s itself must be one, so sigma is
 * rounded up to it.)
 *
 * For integer symmetric D: sum_i D_ii^2 / (4 s^2) + sum_{i<j} D_ij^2 / (2 s^2) = ||D||_F^2 / (4 s^2),
 * so the release is rho-zCDP, rho = Delta^2 / (2 sigma^2), with Delta = Delta_F + d step: rounding
 * moves each of the d^2 entries of a difference by at most a step. If S itself was computed in
 * floating point with entrywise error e, the bound is Delta_F + d (step + 2 e).
 */
export function addDiscreteSymmetricNormal(state: usize, a: usize, d: u32, s: f64, step: f64): void {
  const size = <u64>s;
  const mask = maskOf(size);
  const stride = (<usize>d) << 3;
  for (let i: u32 = 0; i < d; i++) {
    for (let j = i; j < d; j++) {
      const upper = a + <usize>i * stride + ((<usize>j) << 3);
      const cells = toGrid(load<f64>(upper), step) + draw(state, size, mask, i == j ? 2 : 1);
      const value = <f64>cells * step;
      store<f64>(upper, value);
      store<f64>(a + <usize>j * stride + ((<usize>i) << 3), value);
    }
  }
}
