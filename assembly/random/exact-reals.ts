/**
 * Real numbers of a normal or an exponential law, exactly: the first 46 bits after the point of a number that has as many
 * more as are asked for.
 *
 * Sizes are x = k + V, V uniform on [0, 1) given by its first 46 bits u and a rest T: x = k + (u + T) / 2^46. Normal: steps
 * of `steps.ts`, and a fair sign. Exponential: k with weight 2^-k, kept if a uniform number U is below
 * p = exp(-(k + V)) 2^k, half the time. Whichever T is, p differs by less than 2^-42 p over u's cell while k is below 16,
 * so double precision settles all but one comparison in 2^38 for every T at once, and T stays uniform and undrawn. Else T
 * is drawn to 480 bits and takes part (`exponential-below.ts`). So the pairs (x to 46 bits, T) have the exact law:
 * where T was drawn it is written down, elsewhere it is uniform on [0, 1) and independent of everything
 * (Karney 2016, "Sampling exactly from the normal distribution").
 */
import { next64 } from "./chacha";
import { exponentialOfRealBelow, TAIL_WORDS } from "./exponential-below";
import {
  boundsAt, CELLS, firstBits, isBelow, lastOf, numerator, prepareBounds, proportion, RELATIVE, shiftOf, stepOf,
} from "./steps";

const BITS: u64 = (1 << 46) - 1;
const UNIT: f64 = 1.4210854715202004e-14; // 2^-46
const PER_UNIT: f64 = <f64>CELLS * UNIT;
const TAIL_BYTES: usize = (<usize>TAIL_WORDS) << 2;
/** Draws whose T is known: u32 position, u32[TAIL_WORDS] bits. */
const RECORD_BYTES: usize = 4 + TAIL_BYTES;
/** More in one call have probability below 2^-700. */
const MOST_RECORDS: i32 = 64;
const tail: usize = memory.data(64, 16);
let tailDrawn = false;

@inline function asReal(k: u32, u: u64, negative: bool): f64 {
  if (k >= 128) unreachable(); // probability below exp(-128^2 / 2), or exp(-128) < 2^-184
  const size = <f64>(((<u64>k) << 46) | u) * UNIT;
  return negative ? -size : size;
}

@inline function settled(
  state: usize, bits: u64, k: u32, u: u64, p: f64, squared: bool, e: u32, shift: u32,
): bool {
  const below = k < 16 ? isBelow(bits, p, 4.0 * RELATIVE) : -1;
  if (below >= 0) return below == 1;
  tailDrawn = true;
  return exponentialOfRealBelow(state, bits, k, u, squared, e, shift, tail);
}

function normal(state: usize): f64 {
  while (true) {
    tailDrawn = false;
    const word = next64(state);
    const r = firstBits(word, 1);
    if (r >= lastOf(1)) continue;
    let k = stepOf(r, 1);
    const u = (word >> 8) & BITS;
    if (k == 3) {
      let more = next64(state);
      for (; more == 0; more = next64(state)) k += 64;
      k += <u32>ctz<u64>(more);
    }
    const bits = next64(state) >> 11;
    const at = boundsAt(min(k, 2), u, 1, PER_UNIT);
    if (k > 2 || bits >= load<u64>(at)) {
      if (k <= 2 && bits >= load<u64>(at, 8)) continue;
      const p = k < 16 ? proportion(<f64>k + <f64>u * UNIT, k, 1) : 0.0;
      if (!settled(state, bits, k, u, p, true, numerator(k, 1), shiftOf(k, 1))) continue;
    }
    return asReal(k, u, <i64>word < 0);
  }
}

function exponential(state: usize): f64 {
  while (true) {
    tailDrawn = false;
    const word = next64(state);
    const u = word & BITS;
    let k: u32 = <u32>ctz<u64>((word >> 46) | 0x40000); // 18 bits of the word
    if (k == 18) {
      let more = next64(state);
      for (; more == 0; more = next64(state)) k += 64;
      k += <u32>ctz<u64>(more);
    }
    const x = <f64>k + <f64>u * UNIT;
    const p = k < 16 ? Math.exp(-x) * <f64>((<u64>1) << k) : 0.0;
    if (settled(state, next64(state) >> 11, k, u, p, false, 1, k)) return asReal(k, u, false);
  }
}

/**
 * out f64[n] <- n independent numbers, normal or exponential, their sizes cut to 46 bits after the point (so -0 is a
 * negative number above -2^-46). Those whose T was drawn are listed at `records`; returns how many.
 */
export function exactReals(state: usize, out: usize, n: u32, isNormal: bool, records: usize): i32 {
  prepareBounds();
  let count = 0;
  for (let i: u32 = 0; i < n; i++) {
    store<f64>(out + ((<usize>i) << 3), isNormal ? normal(state) : exponential(state));
    if (tailDrawn) {
      if (count == MOST_RECORDS) unreachable();
      const record = records + <usize>count * RECORD_BYTES;
      store<u32>(record, i);
      memory.copy(record + 4, tail, TAIL_BYTES);
      count++;
    }
  }
  memory.fill(tail, 0, TAIL_BYTES);
  return count;
}
/** Bytes at `records`. */
export function exactRealsRecords(): f64 {
  return <f64>(<usize>MOST_RECORDS * RECORD_BYTES);
}
