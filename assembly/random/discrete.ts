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
import { next64, runEnd, runStart, runTaken } from "./chacha";
import { exponentialBelow } from "./exponential-below";

const RELATIVE: f64 = 9.094947017729282e-13; // 2^-40
const ABSOLUTE: f64 = 8.673617379884035e-19; // 2^-60
const BIT: f64 = 1.1102230246251565e-16; // 2^-53
const TWO_53: f64 = 9007199254740992.0;
const OUTWARD: f64 = 9.094947017729282e-13; // 2^-40

/** Numerator and shift of E(k) = e 2^-shift: steps, then halves. */
@inline function numerator(k: u32, c: u32): u32 {
  if (c == 1) return k == 1 ? 5 : k == 2 ? 9 : 1;
  return k == 1 ? 25 : k == 2 ? 3 : k == 3 ? 7 : 1;
}
@inline function shiftOf(k: u32, c: u32): u32 {
  if (c == 1) return k == 0 ? 0 : k == 1 ? 3 : k == 2 ? 6 : k + 3;
  return k == 0 ? 0 : k == 1 ? 5 : k == 2 ? 3 : k == 3 ? 6 : k + 1;
}

/** p for one step and root = k + u/s, up to 2^-40 p + 2^-60, while its shift is at most 62. */
@inline function proportion(root: f64, k: u32, c: u32): f64 {
  const scale = <f64>(<u64>1 << shiftOf(k, c)) / <f64>numerator(k, c);
  return Math.exp((root * root) * (c == 1 ? -0.5 : -0.25)) * scale;
}

/** Whether s k + u is kept; U's first 53 bits are `bits`. */
function settle(state: usize, bits: u64, k: u32, u: u64, s: u64, c: u32): bool {
  const shift = shiftOf(k, c);
  if (shift <= 62) {
    const p = proportion(<f64>k + <f64>u / <f64>s, k, c);
    const least = <f64>bits * BIT;
    if (least + BIT <= p * (1.0 - RELATIVE) - ABSOLUTE) return true;
    if (least >= p * (1.0 + RELATIVE) + ABSOLUTE) return false;
  }
  return exponentialBelow(state, bits, k, u, s, c, numerator(k, c), shift);
}

// For c = 1, 2, steps k = 0 .. c + 1 and cells j of u/s, [j, j + 1) / CELLS: u64 bounds of 2^53 p, from below and above.
const CELLS: u32 = 64;
const STEP_BYTES: usize = (<usize>CELLS) << 4;
const bounds: usize = memory.data(7168, 16); // (3 + 4) STEP_BYTES
let boundsReady = false;

/** p falls with u/s: its bounds are its values at a cell's ends, moved outward by more than every rounding. */
function prepare(): void {
  let at = bounds;
  for (let c: u32 = 1; c <= 2; c++) {
    for (let k: u32 = 0; k < c + 2; k++) {
      for (let j: u32 = 0; j < CELLS; j++) {
        const left = <f64>k + <f64>j / <f64>CELLS, right = left + 1.0 / <f64>CELLS;
        const least = proportion(right + OUTWARD, k, c) * (1.0 - RELATIVE) - ABSOLUTE;
        const most = proportion(max(left - OUTWARD, 0.0), k, c) * (1.0 + RELATIVE) + ABSOLUTE;
        store<u64>(at, <u64>(least * TWO_53));
        store<u64>(at, <u64>Math.ceil(most * TWO_53), 8);
        at += 16;
      }
    }
  }
  boundsReady = true;
}

/**
 * Where the two bounds of u's cell are. The product is off by less than 2^-44, so a u beside its cell is still
 * within the cell's bounds.
 */
@inline function boundsAt(k: u32, u: u64, c: u32, perUnit: f64): usize {
  const cell = min(<u32>(<f64>u * perUnit), CELLS - 1);
  return bounds + (c == 1 ? 0 : 3 * STEP_BYTES) + <usize>k * STEP_BYTES + ((<usize>cell) << 4);
}

/** `settle`, but for one comparison in a hundred by the bounds of u's cell. */
@inline function kept(state: usize, bits: u64, k: u32, u: u64, s: u64, c: u32, perUnit: f64): bool {
  if (k < c + 2) {
    const at = boundsAt(k, u, c, perUnit);
    if (bits < load<u64>(at)) return true;
    if (bits >= load<u64>(at, 8)) return false;
  }
  return settle(state, bits, k, u, s, c);
}

// The step k from the first bits of a word, in units of 1/64: 64, 40, 9 and 2 for the rest; 64, 50, 24, 7 and 4 for
// the rest; what is beyond is drawn again.
@inline function firstBits(word: u64, c: u32): u32 {
  return <u32>word & (c == 1 ? 127 : 255);
}
@inline function lastOf(c: u32): u32 {
  return c == 1 ? 115 : 149;
}
@inline function stepOf(r: u32, c: u32): u32 {
  if (c == 1) return u32(r >= 64) + u32(r >= 104) + u32(r >= 113);
  return u32(r >= 64) + u32(r >= 114) + u32(r >= 138) + u32(r >= 145);
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
@inline function perUnitOf(s: f64): f64 {
  if (!boundsReady) prepare();
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

const MOST: f64 = 4611686018427387904.0; // 2^62
const CHUNK: u32 = 256;
const chunk: usize = memory.data(2048, 16);

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
