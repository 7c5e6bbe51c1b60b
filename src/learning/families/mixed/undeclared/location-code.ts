/**
 * A task's vote on where a column's values lie within [-half, half], as fine as its own values lie close together.
 *
 * Some columns lie far from zero against their spread: years, temperatures, the pH of blood. A vote on a few wide bins does not find them, one on
 * many narrow ones is lost where tasks differ. So a vote is written as a number is, digit by digit: in wide bins, and, where the task's values
 * lie closer together than those are wide, in circles of ever narrower ones, each of which tells where in a few bins of the one before. Digits cost
 * nothing: the vote has norm 1 and no negative entries however many of them it has.
 * @module
 */
import { log, pow } from "../../../../core/elementary.js";
import { Room } from "../../../../linalg/room.js";
import { bumpOf, vote, type VoteBins } from "../../../votes/size-votes.js";

/** Wide bins, over the whole window. */
const WIDE: VoteBins = { bins: 9, width: 0.7 };

/** Bins of a circle: with bins a quarter as wide as those of the level before it tells apart two of these. */
const CIRCLE = 8;
export const FINER = 4;

/** Circles. */
export const FINEST = 4;

/** Part of a vote's square that its wide bins have, where it has others. */
const WIDE_PART = 0.5;

/** What the values of a task that are all the same tell of: wide bins, since the tasks differ in them if anything does. */
const CONSTANT = 1e-9;

export const LOCATION_BINS = WIDE.bins + CIRCLE * FINEST;

/** Where the bins of each level begin, and how many they are. */
const BINS = Array.from({ length: FINEST + 1 }, (_, level) =>
  level === 0
    ? { from: 0, bins: WIDE.bins }
    : { from: WIDE.bins + (level - 1) * CIRCLE, bins: CIRCLE },
);

/** Those of one level, from 0 to `FINEST`. */
export const binsOf = (level: number): { readonly from: number; readonly bins: number } =>
  BINS[level]!;

/** Wide cells on both sides of 0. */
const SIDE = (WIDE.bins - 1) / 2;

/** Bins of a level in one of the wide ones. */
const INNER = Array.from({ length: FINEST + 1 }, (_, level) => pow(FINER, level));

/** Width of a bin of a level. */
export const cellOf = (half: number, level: number) => half / (SIDE * INNER[level]!);

/** Bins of a level over the whole window. */
export const cellsOf = (level: number) => 2 * SIDE * INNER[level]!;

/** Where a value stands on a level, in its bins; on a circle by how many of these it is away from 0. */
export const positionOn = (value: number, half: number, level: number) =>
  value / cellOf(half, level) + (level === 0 ? SIDE : 0);

/** The unit bump of a level at a position. @param bump where it goes, [bins of the level]. */
export function digit(level: number, position: number, bump?: Float64Array): Float64Array {
  if (level === 0) return vote(WIDE, position, bump);
  const out = bump ?? new Float64Array(CIRCLE);
  const stands = position - CIRCLE * Math.floor(position / CIRCLE);
  for (let b = 0; b < CIRCLE; b++) {
    const apart = Math.abs(b - stands);
    out[b] = Math.min(apart, CIRCLE - apart);
  }
  return bumpOf(out, WIDE.width);
}

/** What a vote down to a level gives to each of its levels; the squares sum to 1. */
const SIZES: readonly (readonly number[])[] = Array.from({ length: FINEST + 1 }, (_, level) => {
  if (level === 0) return [1];
  const finer = Math.sqrt((1 - WIDE_PART) / level);
  return [Math.sqrt(WIDE_PART), ...Array.from({ length: level }, () => finer)];
});

/** The same of one level, from 0 to `FINEST`. */
export const digitSizes = (level: number): readonly number[] => SIZES[level]!;

/** The finest level whose bins are at least as wide as values spread. */
function levelOf(spread: number, half: number): number {
  if (!(spread > CONSTANT * half)) return 0;
  const level = Math.floor(log(cellOf(half, 0) / spread) / log(FINER));
  return Math.min(Math.max(level, 0), FINEST);
}

/** A task's vote, [LOCATION_BINS], in that room; undefined where its mean lies outside of the window. */
export function locationVote(
  values: Float64Array,
  half: number,
  room = new Room(),
): Float64Array | undefined {
  const n = values.length;
  let sum = 0;
  for (let k = 0; k < n; k++) sum += values[k]!;
  const mean = sum / n;
  const position = positionOn(mean, half, 0);
  if (!(position >= -1 / 2 && position <= WIDE.bins - 1 / 2)) return undefined;
  let square = 0;
  for (let k = 0; k < n; k++) square += (values[k]! - mean) ** 2;
  const level = levelOf(Math.sqrt(square / Math.max(n - 1, 1)), half);
  const out = room.take(LOCATION_BINS);
  const sizes = digitSizes(level);
  for (let l = 0; l <= level; l++) {
    const { from, bins } = binsOf(l);
    const bump = digit(l, positionOn(mean, half, l), room.take(bins));
    for (let b = 0; b < bins; b++) out[from + b] = sizes[l]! * bump[b]!;
  }
  return out;
}
