/**
 * Which of the places that votes speak for is taken for where a column's values lie.
 * @module
 */
import { exp } from "../../../../core/elementary.js";

/** A place that was tried. */
export interface Place {
  readonly value: number;
  readonly level: number;
  readonly evidence: number;
}

export interface Taken {
  readonly place: Place;
  /** Probability that values lie where it is of no use. */
  readonly doubt: number;
}

/** So many bins away from where values lie a place is of no use, and further is no worse. */
const USELESS = 2;

/** Logarithm of how much less likely than the likeliest a place is that counts for nothing. */
const FAINT = 10;

/** How many of the likeliest places are compared, beside the likeliest of each level. */
const COMPARED = 60;

/**
 * The place that is expected to be the fewest bins away from where the values lie, squared. It need not be the likeliest: a wide bin can be as
 * likely as a narrow one inside it, and its middle is of no use where values lie as close together as the narrow one says, while
 * the narrow one's place is as good as any where they lie as far apart as the wide one.
 * @param places at least one.
 * @param cells  width of a bin of each level.
 */
export function leastLost(places: readonly Place[], cells: readonly number[]): Taken {
  const most = places.reduce((best, { evidence }) => Math.max(best, evidence), -Infinity);
  const likely = places
    .filter(({ evidence }) => evidence >= most - FAINT)
    .sort((a, b) => b.evidence - a.evidence);
  const weights = likely.map(({ evidence }) => exp(evidence - most));
  const lossAt = (value: number) =>
    likely.reduce((sum, place, k) => {
      const bins = (value - place.value) / cells[place.level]!;
      return sum + weights[k]! * Math.min(bins * bins, USELESS * USELESS);
    }, 0);
  const ofLevels = cells.flatMap((_, level) => likely.find((place) => place.level === level) ?? []);
  const compared = [...likely.slice(0, COMPARED), ...ofLevels];
  const losses = compared.map(({ value }) => lossAt(value));
  const place = compared[losses.indexOf(Math.min(...losses))]!;
  let [whole, lost] = [0, 0];
  likely.forEach(({ value, level }, k) => {
    whole += weights[k]!;
    if (Math.abs(place.value - value) > USELESS * cells[level]!) lost += weights[k]!;
  });
  return { place, doubt: lost / whole };
}
