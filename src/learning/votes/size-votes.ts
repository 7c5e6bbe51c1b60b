/**
 * How large something is, by votes: every task's vote is a bump over a few logarithmic bins at its own figure.
 *
 * A vote has norm 1 and no negative entries, so those of k figures together have norm at most sqrt(k), and another
 * task in the place of one moves their sum by at most sqrt(2 k), whatever its values. A task may also not vote.
 * @module
 */
import { norm } from "../../linalg/norm.js";
import { exp, log, pow } from "../../core/elementary.js";

/** How far tasks are thought to be apart: a standard deviation of their positions, in bins, with its prior. */
export interface Apart {
  readonly width: number;
  readonly prior: number;
}

/** Bins of a vote: how many, and the width of the bump in bins. */
export interface VoteBins {
  readonly bins: number;
  readonly width: number;
  /** Where it matters how far tasks are apart: what is thought of that; default in few steps. */
  readonly apart?: readonly Apart[];
}

/** Bins of sizes: logarithms to the base 4. */
export interface SizeBins extends VoteBins {
  /** Logarithm to the base 2 of the size in the first bin. */
  readonly leastPower: number;
}

/** Sizes of columns, in whatever units: 2^-44 to 2^56, 6e-14 to 7e16. */
export const MAGNITUDE: SizeBins = { bins: 51, width: 1, leastPower: -44 };

export const log2 = (x: number) => log(x) / Math.LN2;

/** The unit bump of bins that are so far from where it stands, in their place. In plain loops: every task asks for one of every column. */
export function bumpOf(apart: Float64Array, width: number): Float64Array {
  const bins = apart.length;
  for (let b = 0; b < bins; b++) apart[b] = exp(-((apart[b]! / width) ** 2) / 2);
  const length = norm(apart);
  for (let b = 0; b < bins; b++) apart[b]! /= length;
  return apart;
}

/** The unit bump at a position, which need not be whole. @param bump where it goes, [bins]. */
export function vote(
  { bins, width }: VoteBins,
  position: number,
  bump: Float64Array = new Float64Array(bins),
): Float64Array {
  const held = Math.min(Math.max(position, 0), bins - 1);
  for (let b = 0; b < bins; b++) bump[b] = b - held;
  return bumpOf(bump, width);
}

/** Where a size stands on a scale; zeros have none to vote for: NaN. */
export const magnitudePosition = (size: number, { leastPower }: SizeBins = MAGNITUDE) =>
  size > 0 ? (log2(Math.max(size, pow(2, leastPower))) - leastPower) / 2 : NaN;

/** The size that stands there. */
export const sizeAt = (position: number, { leastPower }: SizeBins = MAGNITUDE) =>
  pow(4, position + leastPower / 2);
