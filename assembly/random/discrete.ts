/**
 * Discrete Gaussian noise, sampled exactly: no rounding enters the law below, so it is the law of what is
 * released (given ideal random words).
 *
 *   N_Z(0, c s^2):  P(x) proportional to exp(-x^2 / (2 c s^2)) on the integers, s integer, c = 1, 2.
 *
 * Rejection from steps (`steps.ts`): |x| = s k + u, 0 <= u < s, by comparisons of random bits. The sign is fair and -0
 * is drawn again. A comparison is settled by bounds over a cell of u/s, else by 53 bits of U and p in double
 * precision where they are further apart than the error of p, else (one in 2^39) by integers of 512 bits with the
 * rest of U (`exponential-below.ts`). So every comparison has the outcome of exact arithmetic.
 *
 * Privacy: N_Z(0, v) on integers of sensitivity D is D^2 / (2 v)-zCDP, coordinate by coordinate as
 * its continuous twin (Canonne, Kamath and Steinke 2020, Theorem 4 and Theorem 14; for exact
 * samplers Karney 2016, "Sampling exactly from the normal distribution").
 */
import { next64, runEnd, runStart, runTaken } from "./chacha";
import { exponentialBelow } from "./exponential-below";
import { toGrid } from "./grid";
import {
  boundsAt, CELLS, firstBits, isBelow, lastOf, numerator, prepareBounds, proportion, RELATIVE, shiftOf, stepOf,
} from "./steps";

/** Whether s k + u is kept; U's first 53 bits are `bits`. */
@inline function kept(state: usize, bits: u64, k: u32, u: u64, s: u64, c: u32, perUnit: f64): bool {
  if (k < c + 2) {
    const at = boundsAt(k, u, c, perUnit);
    if (bits < load<u64>(at)) return true;
    if (bits >= load<u64>(at, 8)) return false;
  }
  const shift = shiftOf(k, c);
  if (shift <= 62) {
    const below = isBelow(bits, proportion(<f64>k + <f64>u / <f64>s, k, c), RELATIVE);
    if (below >= 0) return below == 1;
  }
  return exponentialBelow(state, bits, k, u, s, c, numerator(k, c), shift);
}

/** One draw of N_Z(0, c s^2). */
function draw(state: usize, s: u64, mask: u64, c: u32, perUnit: f64): f64 {
  while (true) {
    const word = next64(state);
    const r = firstBits(word, c);
    const u = (word >> 8) & mask;
    if (r >= lastOf(c) || u >= s) continue;
    let k = stepOf(r, c);
    if (k == c + 2) {
      let tail = next64(state);
      for (; tail == 0; tail = next64(state)) k += 64;
      k += <u32>ctz<u64>(tail);
    }
    if (!kept(state, next64(state) >> 11, k, u, s, c, perUnit)) continue;
    const size = <i64>(s * <u64>k + u);
    const negative = <i64>word < 0;
    if (size == 0 && negative) continue;
    return <f64>(negative ? -size : size);
  }
}

/**
 * n draws to f64[n] at `out`: those of n calls of `draw`, from the same words. Nothing that cannot be foreseen is a
 * branch: every proposal is written down, and the next one over it unless it was kept.
 */
@inline function fill(state: usize, out: usize, n: u32, s: u64, mask: u64, c: u32, perUnit: f64): void {
  const end = out + ((<usize>n) << 3);
  while (out < end) {
    let at = runStart(state);
    const stop = runEnd(state) - 16;
    while (at <= stop && out < end) {
      const word = load<u64>(at), bits = load<u64>(at, 8) >> 11;
      const r = firstBits(word, c);
      const u = (word >> 8) & mask;
      const proposed = u32(r < lastOf(c)) & u32(u < s);
      const k = stepOf(r, c);
      const entry = boundsAt(min(k, c + 1), u, c, perUnit);
      const sure = u32(bits < load<u64>(entry));
      const open = (u32(bits < load<u64>(entry, 8)) ^ sure) | u32(k == c + 2);
      if (proposed & open) break;
      const size = <i64>(s * <u64>k + u);
      const sign = <i64>word >> 63;
      store<f64>(out, <f64>((size ^ sign) - sign));
      out += <usize>(proposed & sure & u32((size | ~sign) != 0)) << 3;
      at += 8 + ((<usize>proposed) << 3);
    }
    runTaken(state, at);
    if (out == end) return;
    store<f64>(out, draw(state, s, mask, c, perUnit));
    out += 8;
  }
}
function fillSteps(state: usize, out: usize, n: u32, s: u64, mask: u64, perUnit: f64): void {
  fill(state, out, n, s, mask, 1, perUnit);
}

@inline function maskOf(s: u64): u64 {
  return s == 1 ? 0 : <u64>-1 >> clz<u64>(s - 1);
}

/** CELLS / s, and the bounds made ready. */
function perUnitOf(s: f64): f64 {
  prepareBounds();
  return <f64>CELLS / s;
}

/** out f64[n] <- independent draws of N_Z(0, c s^2); s integer, 1 <= s <= 2^46; c 1 or 2. */
export function discreteGaussian(state: usize, out: usize, n: u32, s: f64, c: u32): void {
  const size = <u64>s;
  const mask = maskOf(size);
  const perUnit = perUnitOf(s);
  if (c == 1) fillSteps(state, out, n, size, mask, perUnit);
  else fill(state, out, n, size, mask, 2, perUnit);
}

const CHUNK: u32 = 256;
const chunk: usize = memory.data(2048, 16);

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
  const perUnit = perUnitOf(s);
  for (let done: u32 = 0; done < n; ) {
    const take = min(n - done, CHUNK);
    fillSteps(state, chunk, take, size, mask, perUnit);
    for (let i: u32 = 0; i < take; i++) {
      const at = v + ((<usize>(done + i)) << 3);
      const cells = toGrid(load<f64>(at), step) + <i64>load<f64>(chunk + ((<usize>i) << 3));
      store<f64>(at, <f64>cells * step);
    }
    done += take;
  }
  memory.fill(chunk, 0, 2048);
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
  const perUnit = perUnitOf(s);
  const stride = (<usize>d) << 3;
  for (let i: u32 = 0; i < d; i++) {
    const row = a + <usize>i * stride;
    const column = a + ((<usize>i) << 3);
    const corner = row + ((<usize>i) << 3);
    const onDiagonal = toGrid(load<f64>(corner), step) + <i64>draw(state, size, mask, 2, perUnit);
    store<f64>(corner, <f64>onDiagonal * step);
    for (let from = i + 1; from < d; ) {
      const take = min(d - from, CHUNK);
      fillSteps(state, chunk, take, size, mask, perUnit);
      for (let k: u32 = 0; k < take; k++) {
        const j = <usize>(from + k);
        const upper = row + (j << 3);
        const cells = toGrid(load<f64>(upper), step) + <i64>load<f64>(chunk + ((<usize>k) << 3));
        const value = <f64>cells * step;
        store<f64>(upper, value);
        store<f64>(column + j * stride, value);
      }
      from += take;
    }
  }
  memory.fill(chunk, 0, 2048);
}
