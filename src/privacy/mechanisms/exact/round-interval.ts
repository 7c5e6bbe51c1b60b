/**
 * Rounding of quantities that are known to as many bits as are asked for: the cell in which both ends of an interval lie.
 * @module
 */

/** Bits of the first attempt, and of each further one. */
const STEP = 64;
const FIRST = 110;

/** +-x y with left <= x 2^precision <= left + 1, right likewise. */
export interface SignedProduct {
  readonly left: bigint;
  readonly right: bigint;
  readonly negative: boolean;
}

/** An interval in units of 2^-fraction. */
export interface Interval {
  readonly low: bigint;
  readonly high: bigint;
  readonly fraction: number;
}

/** floor(x + 1/2) for the x that the intervals enclose, ever more narrowly as the precision grows. */
export function roundInterval(enclose: (precision: number) => Interval | undefined): number {
  for (let precision = FIRST; ; precision += STEP) {
    const interval = enclose(precision);
    if (!interval) continue;
    const cell = (x: bigint) =>
      (2n * x + (1n << BigInt(interval.fraction))) >> BigInt(interval.fraction + 1);
    const low = cell(interval.low);
    if (low === cell(interval.high)) return safe(Number(low));
  }
}

/** A number of cells is a whole number of float64. */
function safe(cells: number): number {
  if (Number.isSafeInteger(cells)) return cells;
  // An event of probability below 2^-184, as those on which the kernel traps.
  throw new RangeError("noise: expected less than 2^53 cells of its grid; nothing was released");
}

/** round(2^bits x), x the sum of products. */
export function roundSum(
  bits: number,
  products: (precision: number) => Iterable<SignedProduct>,
): number {
  return roundInterval((precision) => {
    let [low, high] = [0n, 0n];
    for (const { left, right, negative } of products(precision)) {
      const least = left * right;
      const most = (left + 1n) * (right + 1n);
      low += negative ? -most : least;
      high += negative ? -least : most;
    }
    return { low, high, fraction: 2 * precision - bits };
  });
}
