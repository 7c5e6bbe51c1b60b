/**
 * The grid of noise that is a real number, exactly rounded.
 * @module
 */
import * as math from "../../../core/elementary.js";

/** The error for a budget whose noise no exact sampler takes. */
export function outOfRange(budget: number): RangeError {
  return new RangeError(
    `budget: expected a budget within the exact sampler's range, got ${budget}; use the ` +
      "floating-point mechanism or another budget",
  );
}

/** Rounding takes at most a 2^-10th of the budget. */
const COST_BITS = 10;
/** Numbers of cells are exact in float64, and so are their sums. */
const MOST_CELLS = 2 ** 51;

/** A scale of noise, and the grid of a 2^-bits-th of it. */
export interface RoundedScale {
  readonly scale: number;
  readonly grid: number;
  readonly bits: number;
}

/**
 * The scale with (sensitivity + spread grid) / scale = budget, grid = scale 2^-bits, for the least number of bits with
 * spread 2^-bits <= budget 2^-10.
 *
 * @param largest of the values, and `reach` of the noise in units of its scale: together they must stay below 2^51 cells.
 * @param most    bits that the sampler gives.
 * @throws RangeError if they do not, or the bits do not suffice.
 */
export function roundedScale(
  budget: number,
  statistic: { readonly sensitivity: number; readonly spread: number; readonly largest: number },
  { reach, most }: { reach: number; most: number },
): RoundedScale {
  const { sensitivity, spread, largest } = statistic;
  const bits = Math.max(1, math.binaryExponent(spread / budget) + 1 + COST_BITS);
  if (!(bits <= most)) throw outOfRange(budget);
  // Larger by a hair than the quotient, against its rounding.
  const scale = (sensitivity / (budget - spread * 2 ** -bits)) * (1 + 2 ** -50);
  const grid = scale * 2 ** -bits;
  if (!(largest / grid + reach * 2 ** bits < MOST_CELLS)) throw outOfRange(budget);
  return { scale, grid, bits };
}

/** The value's cell: a whole number within 1/2 of value / grid (up to the rounding of `computed-statistic.ts`); 0 for NaN. */
export function cellOf(value: number, grid: number): number {
  const cell = Math.round(value / grid);
  return Math.abs(cell) <= MOST_CELLS ? cell : 0;
}
