/**
 * How large a column's values are and where they lie, by votes: every task's vote is a bump over a few bins at its
 * own figure, and the noisy sum is searched for the bump that fits it best.
 *
 * A vote has norm 1 and no negative entries, so those of k columns together have norm at most sqrt(k), and another
 * task in the place of one moves their sum by at most sqrt(2 k), whatever its values.
 * @module
 */
import { norm } from "../../../linalg/norm.js";
import { exp, log, pow } from "../../../core/elementary.js";

/** Bins of a vote: how many, and the width of the bump in bins. */
export interface VoteBins {
  readonly bins: number;
  readonly width: number;
}

/** Magnitude: the logarithm of the root mean square to the base 4, of 2^-14 to 2^26. */
export const MAGNITUDE: VoteBins = { bins: 21, width: 1 };
const LEAST_POWER = -14;
const LARGER = 1.2;

/** Location: the mean, from -1 to 1 magnitudes. */
export const LOCATION: VoteBins = { bins: 9, width: 0.7 };

/** Spread: root mean square distance from the location, from 1 to 1/64 magnitudes. */
export const SPREAD: VoteBins = { bins: 7, width: 1 };

/** Positions between two bins that are tried. */
const FINE = 8;

const log2 = (x: number) => log(x) / Math.LN2;

/** The unit bump at a position, which need not be whole. */
export function vote({ bins, width }: VoteBins, position: number): Float64Array {
  const held = Math.min(Math.max(position, 0), bins - 1);
  const bump = Float64Array.from({ length: bins }, (_, b) => exp(-(((b - held) / width) ** 2) / 2));
  const length = norm(bump);
  return bump.map((x) => x / length);
}

/** The position whose bump fits a noisy sum of votes best. */
export function elected(scale: VoteBins, sum: Float64Array): number {
  let [best, most] = [0, -Infinity];
  for (let step = 0; step <= FINE * (scale.bins - 1); step++) {
    const fit = vote(scale, step / FINE).reduce((total, x, b) => total + x * sum[b]!, 0);
    if (fit > most) [best, most] = [step / FINE, fit];
  }
  return best;
}

/** Where a task's figure of a column stands on the scale, and back. */
export const magnitudePosition = (rms: number) =>
  (log2(Math.max(rms, pow(2, LEAST_POWER))) - LEAST_POWER) / 2;
export const magnitudeAt = (position: number) => LARGER * pow(4, position + LEAST_POWER / 2);

export const locationPosition = (mean: number, magnitude: number) =>
  ((mean / magnitude + 1) * (LOCATION.bins - 1)) / 2;
export const locationAt = (position: number, magnitude: number) =>
  magnitude * ((2 * position) / (LOCATION.bins - 1) - 1);

export const spreadPosition = (distance: number, magnitude: number) =>
  -log2(Math.max(distance / magnitude, 1e-9));
export const spreadAt = (position: number, magnitude: number) => magnitude * pow(2, -position);
