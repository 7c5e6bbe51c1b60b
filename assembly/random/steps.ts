/**
 * Steps: how the size k + v of a half-normal number of variance c = 1 or 2 is proposed, k = 0, 1, ... and 0 <= v < 1,
 * and how it is judged, by random bits and bounds that hold.
 *
 * k is proposed with weight E(k), a dyadic number that is no less than exp(-k^2 / 2c), v uniform; it is kept if a
 * uniform number U is below
 *   p = exp(-((k + v)^2 / 2c)) / E(k)  <=  1,
 * about seven times in ten. p in double precision is off by less than 2^-40 p + 2^-60: where p is above 2^-60 the
 * exponent is below 64, so its 5 roundings are an absolute error below 2^-44, and exp and the scaling add less than
 * 2^-50. Bounds of p over cells of v settle all but one comparison in a hundred without an exponential.
 */
const BIT: f64 = 1.1102230246251565e-16; // 2^-53
const TWO_53: f64 = 9007199254740992.0;
const ABSOLUTE: f64 = 8.673617379884035e-19; // 2^-60
/** 2^-40. */
export const RELATIVE: f64 = 9.094947017729282e-13;

// The step k from a word's first bits, in units of 1/64: 64, 40, 9 and 2 for the rest; 64, 50, 24, 7 and 4 for the
// rest; what is not below `lastOf` is drawn again.
@inline export function firstBits(word: u64, c: u32): u32 {
  return <u32>word & (c == 1 ? 127 : 255);
}
@inline export function lastOf(c: u32): u32 {
  return c == 1 ? 115 : 149;
}
@inline export function stepOf(r: u32, c: u32): u32 {
  if (c == 1) return u32(r >= 64) + u32(r >= 104) + u32(r >= 113);
  return u32(r >= 64) + u32(r >= 114) + u32(r >= 138) + u32(r >= 145);
}

/** Numerator and shift of E(k) = e 2^-shift: steps, then halves. */
@inline export function numerator(k: u32, c: u32): u32 {
  if (c == 1) return k == 1 ? 5 : k == 2 ? 9 : 1;
  return k == 1 ? 25 : k == 2 ? 3 : k == 3 ? 7 : 1;
}
@inline export function shiftOf(k: u32, c: u32): u32 {
  if (c == 1) return k == 0 ? 0 : k == 1 ? 3 : k == 2 ? 6 : k + 3;
  return k == 0 ? 0 : k == 1 ? 5 : k == 2 ? 3 : k == 3 ? 6 : k + 1;
}

/** p at root = k + v, for shifts of at most 62. */
@inline export function proportion(root: f64, k: u32, c: u32): f64 {
  const scale = <f64>(<u64>1 << shiftOf(k, c)) / <f64>numerator(k, c);
  return Math.exp((root * root) * (c == 1 ? -0.5 : -0.25)) * scale;
}

/** Whether U, of which the first 53 bits are `bits`, is below p, given within `relative` p + 2^-60: 1, 0, or -1 if open. */
@inline export function isBelow(bits: u64, p: f64, relative: f64): i32 {
  const least = <f64>bits * BIT;
  if (least + BIT <= p * (1.0 - relative) - ABSOLUTE) return 1;
  return least >= p * (1.0 + relative) + ABSOLUTE ? 0 : -1;
}

// For c = 1, 2, steps k = 0 .. c + 1 and cells j / CELLS <= v < (j + 1) / CELLS: u64 bounds of 2^53 p, below and above.
export const CELLS: u32 = 64;
const STEP_BYTES: usize = (<usize>CELLS) << 4;
const bounds: usize = memory.data(7168, 16); // (3 + 4) STEP_BYTES
let boundsReady = false;

/** Fills the bounds, once; p falls with v: its values at a cell's ends, moved outward by more than every rounding. */
export function prepareBounds(): void {
  if (boundsReady) return;
  let at = bounds;
  for (let c: u32 = 1; c <= 2; c++) {
    for (let k: u32 = 0; k < c + 2; k++) {
      for (let j: u32 = 0; j < CELLS; j++) {
        const left = <f64>k + <f64>j / <f64>CELLS, right = left + 1.0 / <f64>CELLS;
        const least = proportion(right + RELATIVE, k, c) * (1.0 - RELATIVE) - ABSOLUTE;
        const most = proportion(max(left - RELATIVE, 0.0), k, c) * (1.0 + RELATIVE) + ABSOLUTE;
        store<u64>(at, <u64>(least * TWO_53));
        store<u64>(at, <u64>Math.ceil(most * TWO_53), 8);
        at += 16;
      }
    }
  }
  boundsReady = true;
}

/**
 * Where the two bounds of v's cell are, for v = u / s and perUnit = CELLS / s. The product is off by less than 2^-44,
 * so a v beside its cell is still within the cell's bounds.
 */
@inline export function boundsAt(k: u32, u: u64, c: u32, perUnit: f64): usize {
  const cell = min(<u32>(<f64>u * perUnit), CELLS - 1);
  return bounds + (c == 1 ? 0 : 3 * STEP_BYTES) + <usize>k * STEP_BYTES + ((<usize>cell) << 4);
}
