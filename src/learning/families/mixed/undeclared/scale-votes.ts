/**
 * How large a column's values are and how far they spread, by votes: every task's vote is a bump over a few bins at its
 * own figure. (Where they lie: `location-code.ts`.)
 *
 * A vote has norm 1 and no negative entries, so those of k columns together have norm at most sqrt(k), and another
 * task in the place of one moves their sum by at most sqrt(2 k), whatever its values. A task may also not vote.
 * @module
 */
import { norm } from "../../../../linalg/norm.js";
import { exp, log, pow } from "../../../../core/elementary.js";

/** Bins of a vote: how many, and the width of the bump in bins. */
export interface VoteBins {
  readonly bins: number;
  readonly width: number;
}

/** Magnitude: the logarithm of the root mean square to the base 4, of 2^-14 to 2^26. */
export const MAGNITUDE: VoteBins = { bins: 21, width: 1 };
const LEAST_POWER = -14;
/** A magnitude beside the root mean square, so that most means lie within it. */
export const LARGER = 1.2;

/** Spread: root mean square distance from the location, from 1 to 2^-11 magnitudes. */
export const SPREAD: VoteBins = { bins: 12, width: 1 };

const log2 = (x: number) => log(x) / Math.LN2;

/** The unit bump of bins that are so far from where it stands. In plain loops: every task asks for one of every column. */
export function bumpBy({ bins, width }: VoteBins, apart: (bin: number) => number): Float64Array {
  const bump = new Float64Array(bins);
  for (let b = 0; b < bins; b++) bump[b] = exp(-((apart(b) / width) ** 2) / 2);
  const length = norm(bump);
  for (let b = 0; b < bins; b++) bump[b]! /= length;
  return bump;
}

/** The unit bump at a position, which need not be whole. */
export function vote(scale: VoteBins, position: number): Float64Array {
  const held = Math.min(Math.max(position, 0), scale.bins - 1);
  return bumpBy(scale, (b) => b - held);
}

/** Where a task's root mean square stands on the scale, and back; zeros have no size to vote for: NaN. */
export const magnitudePosition = (rms: number) =>
  rms > 0 ? (log2(Math.max(rms, pow(2, LEAST_POWER))) - LEAST_POWER) / 2 : NaN;
export const magnitudeAt = (position: number) => LARGER * pow(4, position + LEAST_POWER / 2);

/** The same of a distance from the location; values that lie all there do not vote: NaN. */
export function spreadPosition(distance: number, magnitude: number): number {
  const position = -log2(Math.max(distance / magnitude, 1e-9));
  return position > SPREAD.bins ? NaN : position;
}
export const spreadAt = (position: number, magnitude: number) => magnitude * pow(2, -position);
