/**
 * Whether a uniform number is below exp(-((k + u/s)^2 / 2c)) / E, or below exp(-x^2 / 2) / E or exp(-x) / E for a
 * real x of which ever more bits are drawn, decided exactly by arithmetic on integers of
 * 512 bits, for the few comparisons that double precision leaves open.
 *
 * A number in [0, 1) is LIMBS limbs of 32 bits, the first the most significant; an ulp is 2^-512. With
 * 2^p >= k + 1 and w = (k + u/s) / 2^p, the exponent is 4^p y, y = w^2 / 2c <= 1/2: 1 - exp(-y) is summed as its
 * series and exp(-y) squared 2p times. Every operation rounds down by at most an ulp: w is off by 1, y by 3, the
 * sum of at most 100 terms by 2^9, and a squaring doubles an error and adds one, so for p <= 16 the result
 * is off by less than 2^43 ulps. The uniform number is known to 512 bits. Two numbers that differ by 2^64
 * ulps are therefore told apart; that two do not is an event of probability below 2^-440, on which this
 * traps, as it does on k >= 2^16, which is rarer still.
 */
import { next32 } from "./chacha";

const LIMBS: i32 = 16;
const BYTES: i32 = LIMBS * 4;
const product: usize = memory.data(128, 16);
const power: usize = memory.data(64, 16); // w, y, then exp(-y) and its squares
const term: usize = memory.data(64, 16);
const sum: usize = memory.data(64, 16);
const uniform: usize = memory.data(64, 16);

@inline function limb(a: usize, i: i32): u64 {
  return load<u32>(a + ((<usize>i) << 2));
}
@inline function setLimb(a: usize, i: i32, value: u64): void {
  store<u32>(a + ((<usize>i) << 2), <u32>value);
}

/** out <- a b, rounded down; `out` may be a or b. */
function multiply(a: usize, b: usize, out: usize): void {
  memory.fill(product, 0, 2 * BYTES);
  for (let i = LIMBS - 1; i >= 0; i--) {
    let carry: u64 = 0;
    for (let j = LIMBS - 1; j >= 0; j--) {
      const t = limb(a, i) * limb(b, j) + limb(product, i + j + 1) + carry;
      setLimb(product, i + j + 1, t);
      carry = t >> 32;
    }
    setLimb(product, i, carry);
  }
  memory.copy(out, product, BYTES);
}

/** a <- a / n, rounded down; whether anything is left. */
function divide(a: usize, n: u32): bool {
  let rest: u64 = 0, left: u64 = 0;
  for (let i = 0; i < LIMBS; i++) {
    rest = (rest << 32) | limb(a, i);
    const quotient = rest / n;
    setLimb(a, i, quotient);
    rest -= quotient * n;
    left |= quotient;
  }
  return left != 0;
}

/** a <- a + b (or a - b); no carry leaves the first limb. */
function addTo(a: usize, b: usize, minus: bool): void {
  let carry: i64 = 0;
  for (let i = LIMBS - 1; i >= 0; i--) {
    const t = <i64>limb(a, i) + (minus ? -<i64>limb(b, i) : <i64>limb(b, i)) + carry;
    setLimb(a, i, <u64>t);
    carry = t >> 32;
  }
}

/** The least p with 2^p >= k + 1; that k is below 2^16. */
function halvingsOf(k: u64): i32 {
  let p = 0;
  while (<u64>1 << p < k + 1) p++;
  if (p > 16) unreachable();
  return p;
}

/** power <- (k + u/s) / 2^p by long division, bit by bit: numerators stay below s 2^p <= 2^62. */
function setQuotient(k: u64, u: u64, s: u64, p: i32): void {
  const divisor = s << p;
  let rest = k * s + u;
  for (let i = 0; i < LIMBS; i++) {
    let bits: u64 = 0;
    for (let bit = 0; bit < 32; bit++) {
      rest <<= 1;
      bits <<= 1;
      if (rest >= divisor) {
        rest -= divisor;
        bits |= 1;
      }
    }
    setLimb(power, i, bits);
  }
}

/** power <- (k + (u + T) / 2^46) / 2^p, T the number in [0, 1) whose bits are u32[TAIL_WORDS] at `tail`. */
function setBits(k: u64, u: u64, tail: usize, p: i32): void {
  const shift = 18 - p;
  const top = (((k << 46) | u) << shift) | (limb(tail, 0) >> (32 - shift));
  setLimb(power, 0, top >> 32);
  setLimb(power, 1, top);
  for (let i = 0; i < LIMBS - 2; i++) {
    setLimb(power, i + 2, (limb(tail, i) << shift) | (limb(tail, i + 1) >> (32 - shift)));
  }
}

/** power <- exp(-power), which is not 1, squared `squarings` times. */
function exponential(squarings: i32): void {
  // 1 - exp(-y) = y - y^2 / 2 + ...
  memory.copy(term, power, BYTES);
  memory.copy(sum, power, BYTES);
  let j: u32 = 2;
  do {
    multiply(term, power, term);
    if (!divide(term, j)) break;
    addTo(sum, term, (j & 1) == 0);
    j++;
  } while (true);
  memory.fill(power, 0, BYTES);
  addTo(power, sum, true);
  for (let i = 0; i < squarings; i++) multiply(power, power, power);
}

/** uniform <- U e / 2^shift: U's first 53 bits are `bits`, its others drawn from the stream. */
function setUniform(state: usize, bits: u64, e: u32, shift: u32): void {
  const top = (bits << 11) | (next32(state) >>> 21);
  setLimb(uniform, 0, top >> 32);
  setLimb(uniform, 1, top);
  for (let i = 2; i < LIMBS; i++) setLimb(uniform, i, next32(state));
  for (let left = shift; left > 0; left -= min(left, 31)) divide(uniform, 1 << min(left, 31));
  let carry: u64 = 0;
  for (let i = LIMBS - 1; i >= 0; i--) {
    const t = limb(uniform, i) * e + carry;
    setLimb(uniform, i, t);
    carry = t >> 32;
  }
}

/** Whether uniform < power, which differ by at least 2^64 ulps; both are wiped, for they tell of the noise. */
function uniformIsBelow(): bool {
  const first = difference();
  if (first == LIMBS) unreachable();
  const below = limb(uniform, first) < limb(power, first);
  memory.fill(product, 0, 2 * BYTES);
  memory.fill(power, 0, BYTES);
  memory.fill(term, 0, BYTES);
  memory.fill(sum, 0, BYTES);
  memory.fill(uniform, 0, BYTES);
  return below;
}

/**
 * Whether U < exp(-((k + u/s)^2 / 2c)) 2^shift / e: U the uniform number whose first 53 bits are `bits`, its others
 * drawn from the stream; u < s <= 2^46, c 1 or 2, e 2^-shift <= 1.
 */
export function exponentialBelow(
  state: usize, bits: u64, k: u64, u: u64, s: u64, c: u32, e: u32, shift: u32,
): bool {
  if (k == 0 && u == 0) return true;
  setUniform(state, bits, e, shift);
  const p = halvingsOf(k);
  setQuotient(k, u, s, p);
  multiply(power, power, power);
  divide(power, 2 * c);
  exponential(2 * p);
  return uniformIsBelow();
}

/** Words of the rest of a real number: with u's 46 bits they fill 512 bits at every shift. */
export const TAIL_WORDS: i32 = 15;

/**
 * Whether U < exp(-x^2 / 2) 2^shift / e where `squared`, U < exp(-x) 2^shift / e elsewhere: x = k + (u + T) / 2^46
 * with the rest T in [0, 1) of which the first bits are drawn from the stream to u32[TAIL_WORDS] at `tail`.
 */
export function exponentialOfRealBelow(
  state: usize, bits: u64, k: u64, u: u64, squared: bool, e: u32, shift: u32, tail: usize,
): bool {
  for (let i = 0; i < TAIL_WORDS; i++) store<u32>(tail + ((<usize>i) << 2), next32(state));
  setUniform(state, bits, e, shift);
  const p = halvingsOf(k);
  setBits(k, u, tail, p);
  if (squared) {
    multiply(power, power, power);
    divide(power, 2);
  }
  exponential(squared ? 2 * p : p);
  return uniformIsBelow();
}

/**
 * The first limb in which the two numbers differ, if they differ by at least 2^64 ulps; LIMBS otherwise. Their
 * difference is taken in `sum`, so that 1000... and 0fff... are seen to be neighbours.
 */
function difference(): i32 {
  let first = 0;
  while (first < LIMBS && limb(uniform, first) == limb(power, first)) first++;
  if (first == LIMBS) return LIMBS;
  const below = limb(uniform, first) < limb(power, first);
  memory.copy(sum, below ? power : uniform, BYTES);
  addTo(sum, below ? uniform : power, true);
  for (let i = 0; i < LIMBS - 2; i++) if (limb(sum, i) != 0) return first;
  return LIMBS;
}
