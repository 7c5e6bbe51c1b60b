/**
 * Discrete Gaussian noise, sampled exactly: no rounding enters the law below, so it is the law of what is
 * released (given ideal random words).
 *
 *   N_Z(0, c s^2):  P(x) proportional to exp(-x^2 / (2 c s^2)) on the integers, s integer, c = 1, 2.
 *
 * Rejection from steps: |x| = s k + u, 0 <= u < s, is proposed with weight E(k), a dyadic number that is no less
 * than exp(-k^2 / 2c), u uniform, by comparisons of random bits; it is kept if a uniform number U is below
 *   p = exp(-((k + u/s)^2 / 2c)) / E(k)  <=  1,
 * about seven times in ten. The sign is fair and -0 is drawn again. 53 bits of U and p in double precision
 * settle U < p where they are further apart than the error of p, which is below 2^-40 p + 2^-60: where p is above
 * 2^-60 the exponent is below 64, so its 5 roundings are an absolute error below 2^-44, and exp and the scaling
 * add less than 2^-50. The other cases, one in 2^39, are decided by integers of 512
 * bits with the rest of U (`exponential-below.ts`). So every comparison has the outcome of exact arithmetic.
 *
 * Privacy: N_Z(0, v) on integers of sensitivity D is D^2 / (2 v)-zCDP, coordinate by coordinate as
 * its continuous twin (Canonne, Kamath and Steinke 2020, Theorem 4 and Theorem 14; for exact
 * samplers Karney 2016, "Sampling exactly from the normal distribution").
 */
import { next64 } from "./chacha";
import { exponentialBelow } from "./exponential-below";

const RELATIVE: f64 = 9.094947017729282e-13; // 2^-40
const ABSOLUTE: f64 = 8.673617379884035e-19; // 2^-60
const BIT: f64 = 1.1102230246251565e-16; // 2^-53

/** Numerator and shift of E(k) = e 2^-shift: steps, then halves. */
@inline function numerator(k: u32, c: u32): u32 {
  if (c == 1) return k == 1 ? 5 : k == 2 ? 9 : 1;
  return k == 1 ? 25 : k == 2 ? 3 : k == 3 ? 7 : 1;
}
@inline function shiftOf(k: u32, c: u32): u32 {
  if (c == 1) return k == 0 ? 0 : k == 1 ? 3 : k == 2 ? 6 : k + 3;
  return k == 0 ? 0 : k == 1 ? 5 : k == 2 ? 3 : k == 3 ? 6 : k + 1;
}

/** Whether s k + u is kept; U's first 53 bits are `bits`. */
@inline function kept(state: usize, bits: u64, k: u32, u: u64, s: u64, c: u32): bool {
  const root = <f64>k + <f64>u / <f64>s;
  const e = numerator(k, c);
  const shift = shiftOf(k, c);
  const scale = <f64>(<u64>1 << min(shift, 62)) / <f64>e;
  const p = Math.exp((root * root) * (c == 1 ? -0.5 : -0.25)) * scale;
  const least = <f64>bits * BIT;
  if (shift <= 62) {
    if (least + BIT <= p * (1.0 - RELATIVE) - ABSOLUTE) return true;
    if (least >= p * (1.0 + RELATIVE) + ABSOLUTE) return false;
  }
  return exponentialBelow(state, bits, k, u, s, c, e, shift);
}

/** One draw of N_Z(0, c s^2). */
function draw(state: usize, s: u64, mask: u64, c: u32): i64 {
  while (true) {
    const word = next64(state);
    // Weights in units of 1/64: 64, 40, 9 and 2 for the rest; 64, 50, 24, 7 and 4 for the rest.
    const r = <u32>word & (c == 1 ? 127 : 255);
    let k: u32;
    if (c == 1) {
      if (r >= 115) continue;
      k = u32(r >= 64) + u32(r >= 104) + u32(r >= 113);
    } else {
      if (r >= 149) continue;
      k = u32(r >= 64) + u32(r >= 114) + u32(r >= 138) + u32(r >= 145);
    }
    const u = (word >> 8) & mask;
    if (u >= s) continue;
    if (k == c + 2) {
      let tail = next64(state);
      for (; tail == 0; tail = next64(state)) k += 64;
      k += <u32>ctz<u64>(tail);
    }
    if (!kept(state, next64(state) >> 11, k, u, s, c)) continue;
    const size = <i64>(s * <u64>k + u);
    const negative = <i64>word < 0;
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
