/**
 * Inner products of exact reals to about 2^-100 of their size, in pairs of float64.
 *
 * Products and sums carry their rounding errors along (Dekker 1971; Ogita, Rump and Oishi 2005, "Accurate sum and dot
 * product", Algorithm 5.3: the pair is off by at most gamma_N^2 sum |x_k y_k|, gamma_N = N 2^-53 / (1 - N 2^-53)); what the
 * next 64 bits of the numbers add is below a 2^-46th of that and summed in float64.
 * @module
 */
import { FIRST_BITS, isNegative, NEXT_BITS, type ExactReals } from "./exact-reals.js";

const SPLITTER = 2 ** 27 + 1;
const LOW_UNIT = 2 ** -(FIRST_BITS + NEXT_BITS);
const HIGH_UNIT = 2 ** (32 - FIRST_BITS - NEXT_BITS);

/** high + low. */
export interface Pair {
  readonly high: number;
  readonly low: number;
}

/** The difference between two inner products of columns i and j: rows 0 to half - 1, less the same number after them. */
export function preciseDifference(
  reals: ExactReals,
  { columns, half }: { columns: number; half: number },
  i: number,
  j: number,
): Pair {
  const { values, next } = reals;
  let [high, low, rest] = [0, 0, 0];
  for (let k = 0; k < 2 * half; k++) {
    const [p, q] = [k * columns + i, k * columns + j];
    const x = k < half ? values[p]! : -values[p]!;
    const y = values[q]!;
    // x y = product + error
    const product = x * y;
    const [xc, yc] = [SPLITTER * x, SPLITTER * y];
    const [xh, yh] = [xc - (xc - x), yc - (yc - y)];
    const [xl, yl] = [x - xh, y - yh];
    const error = xl * yl - (product - xh * yh - xl * yh - xh * yl);
    // high + product = sum + lost
    const sum = high + product;
    const part = sum - high;
    const lost = high - (sum - part) + (product - part);
    high = sum;
    low += lost + error;
    const [s, t] = [tailOf(next, p), tailOf(next, q)];
    const [xs, ys] = [isNegative(x) ? -s : s, isNegative(y) ? -t : t];
    rest += x * ys + xs * y + xs * ys;
  }
  return { high, low: low + rest };
}

const tailOf = (next: Uint32Array, p: number) =>
  next[2 * p]! * HIGH_UNIT + next[2 * p + 1]! * LOW_UNIT;
