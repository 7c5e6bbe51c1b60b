/**
 * How large a column's values are and how far they spread, by votes on sizes. (Where they lie: `location-code.ts`.)
 * @module
 */
import { pow } from "../../../../core/elementary.js";
import { log2, sizeAt, type VoteBins } from "../../../votes/size-votes.js";

/** A magnitude beside the root mean square, so that most means lie within it. */
export const LARGER = 1.2;

/** Spread: root mean square distance from the location, from 1 to 2^-15 magnitudes. */
export const SPREAD: VoteBins = { bins: 16, width: 1 };

/** The magnitude of a column whose root mean square stands there. */
export const magnitudeAt = (position: number) => LARGER * sizeAt(position);

/** The same of a distance from the location; values that lie all there do not vote: NaN. */
export function spreadPosition(distance: number, magnitude: number): number {
  const position = -log2(Math.max(distance / magnitude, 1e-9));
  return position > SPREAD.bins ? NaN : position;
}
export const spreadAt = (position: number, magnitude: number) => magnitude * pow(2, -position);
