/**
 * How large the tasks' gradients are, by a noisy histogram in half octaves: the clip of a round.
 *
 * Every task counts once, in one bin, so that another task in the place of one moves the sum by at most sqrt(2).
 * @module
 */
import { log, pow } from "../../../core/elementary.js";
import { sizeBins } from "./plan.js";
import { CLIP_QUANTILE, SIZES } from "./settings.js";

const log2 = (x: number) => log(x) / Math.LN2;

/** The bins of one round's histogram, its ends open. */
export interface SizeBins {
  /** Logarithm to the base 2 of the first bin's lower end. */
  readonly from: number;
  readonly count: number;
}

/** @param before the clip of the round before; none in the first. */
export function binsOf(round: number, before: number | undefined, d: number): SizeBins {
  const count = sizeBins(round);
  if (before === undefined) return { from: log2(d) / 2 - SIZES.below, count };
  return { from: log2(before) - SIZES.later.below, count };
}

/** The bin of a size, which is not negative. */
export function binAt({ from, count }: SizeBins, size: number): number {
  if (!(size > 0)) return 0;
  const bin = Math.floor((log2(size) - from) * SIZES.bins);
  return Math.min(Math.max(bin, 0), count - 1);
}

/**
 * The size below which a part of the tasks' gradients lies.
 * @param sum noisy counts, [count].
 * @param deviation of their noise.
 * @param m tasks, of which some may not have counted.
 */
export function clipOf(
  { from, count }: SizeBins,
  sum: Float64Array,
  { deviation, m }: { deviation: number; m: number },
): number {
  const total = sum.reduce((a, b) => a + b, 0);
  const counted = total > m - 2 * deviation * Math.sqrt(count) ? m : Math.max(total, 0);
  let below = 0;
  for (let bin = 0; bin < count; bin++) {
    below += sum[bin]!;
    // Counted from either end, whose noises are different ones.
    const part = (below + counted - (total - below)) / 2;
    if (part >= CLIP_QUANTILE * counted) return pow(2, from + (bin + 0.5) / SIZES.bins);
  }
  return pow(2, from + (count - 0.5) / SIZES.bins);
}
