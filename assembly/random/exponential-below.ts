/**
 * Whether a uniform number is below exp(-((k + u/s)^2 / 2c)) / E, decided exactly by arithmetic on integers of
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

/** power <- exp(-(k + u/s)^2 / 2c), which is not 1. */
function exponential(k: u64, u: u64, s: u64, c: u32): void {
  let p = 0;
  while (<u64>1 << p < k + 1) p++;
  if (p > 16) unreachable();
  // w by long division, bit by bit: numerators stay below s 2^p <= 2^62.
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
  multiply(power, power, power);
  divide(power, 2 * c);
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
  for (let i = 0; i < 2 * p; i++) multiply(power, power, power);
}

/**
 * Whether U < exp(-((k + u/s)^2 / 2c)) 2^shift / e: U the uniform number whose first 53 bits are `bits`, its others
 * drawn from the stream; u < s <= 2^46, c 1 or 2, e 2^-shift <= 1.
 */
export function exponentialBelow(
  state: usize, bits: u64, k: u64, u: u64, s: u64, c: u32, e: u32, shift: u32,
): bool {
  if (k == 0 && u == 0) return true;
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
  exponential(k, u, s, c);
  const first = difference();
  if (first == LIMBS) unreachable();
  return limb(uniform, first) < limb(power, first);
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
