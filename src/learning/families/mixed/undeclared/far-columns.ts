/**
 * Columns that the votes on locations miss, since they lie far from zero against their spread: epochs in seconds, a million and a few.
 *
 * A column that was found on fine digits is voted on twofold: how far its values lie from the place that was taken, and how far
 * they lie apart within tasks. Around a place that is not theirs, or not as fine as they lie together, the values of all tasks are equally far away, and
 * much farther than they lie apart. So who sees both sees that, for no budget: a twofold vote has norm 1, and no negative entries.
 * It has as many bins as a vote on differences alone, so that fits without such columns are what they would be without twofold votes.
 * @module
 */
import type { Room } from "../../../../linalg/room.js";
import type { Elected, NoisyVotes } from "../../../votes/election.js";
import {
  MAGNITUDE,
  magnitudePosition,
  vote,
  type SizeBins,
  type VoteBins,
} from "../../../votes/size-votes.js";

/** Level of digits from which a column is voted on twofold: few columns of tables are. */
export const FINE_LEVEL = 2;

/** First bins for spreads: four more than of other columns, to 2^-15 magnitudes. */
export const FAR_SPREAD: VoteBins = { bins: 16, width: 1 };

/** The others: differences by magnitudes, from 1 down to what is lost in rounding. */
const FAR_BINS = MAGNITUDE.bins - FAR_SPREAD.bins;
export const FAR_DIFFERENCE: SizeBins = { bins: FAR_BINS, width: 1, leastPower: 2 - 2 * FAR_BINS };

/** Part of a twofold vote's square that its differences have. */
const DIFFERENCES_PART = 0.4;

/** Values that lie apart by less of their mean are the same but for rounding. */
const ROUNDING = 1e-12;

/** A place is missed from so many differences on. */
const MISSED = 6;

/** Bins that tasks are apart: values around a place of theirs that differ between tasks only are farther apart, about 1.6. */
const ALIKE = 1;

/** A height that is no noise, in deviations of it: noise alone is as high on one scale in 20, over all its shapes. */
export const CLEAR = 3;

export const spreadsIn = ({ counts, deviation }: NoisyVotes): NoisyVotes => ({
  counts: counts.subarray(0, FAR_SPREAD.bins),
  deviation,
});

export const differencesIn = ({ counts, deviation }: NoisyVotes): NoisyVotes => ({
  counts: counts.subarray(FAR_SPREAD.bins, MAGNITUDE.bins),
  deviation,
});

/** A task's vote, in that room. @param spreads its vote on spreads, if it has one. @param magnitude the column's. */
export function twofoldVote(
  spreads: Float64Array | undefined,
  values: Float64Array,
  magnitude: number,
  room: Room,
): Float64Array {
  const out = room.take(MAGNITUDE.bins).fill(0);
  const put = (from: number, part: number, bins: Float64Array) => {
    for (let b = 0; b < bins.length; b++) out[from + b] = Math.sqrt(part) * bins[b]!;
  };
  if (spreads) put(0, 1 - DIFFERENCES_PART, spreads);
  const position = magnitudePosition(differenceWithin(values) / magnitude, FAR_DIFFERENCE);
  if (!Number.isNaN(position)) {
    const differences = vote(FAR_DIFFERENCE, position, room.take(FAR_DIFFERENCE.bins));
    put(FAR_SPREAD.bins, DIFFERENCES_PART, differences);
  }
  return out;
}

/** Deviation of the values about their mean; NaN of one value, and of values that are all the same. */
function differenceWithin(values: Float64Array): number {
  const { length } = values;
  let [sum, square] = [0, 0];
  for (let k = 0; k < length; k++) sum += values[k]!;
  const mean = sum / length;
  for (let k = 0; k < length; k++) square += (values[k]! - mean) ** 2;
  const apart = Math.sqrt(square / (length - 1));
  return apart > ROUNDING * Math.abs(mean) ? apart : NaN;
}

/**
 * Whether a place is missed. Where no distance from it stands out, but differences do, tasks are as far from it as chance has it.
 * @param ratio what the spread is of the differences.
 */
export function isMissed(
  spreads: Pick<Elected, "height" | "apart">,
  differences: Pick<Elected, "height" | "apart">,
  ratio: number,
  deviation: number,
): boolean {
  const clear = CLEAR * deviation;
  if (differences.height <= clear) return false;
  return spreads.height <= clear || (spreads.apart < ALIKE && ratio > MISSED);
}
