/**
 * How sure votes are of where a column's values lie.
 * @module
 */
import { exp } from "../../../../core/elementary.js";

/** A place that was tried. */
export interface Place {
  readonly value: number;
  readonly level: number;
  readonly evidence: number;
}

/** Places that were tried, the first `length` of the arrays: thousands for every column, so that none is an object of its own. */
export interface Places {
  readonly values: ArrayLike<number>;
  readonly levels: ArrayLike<number>;
  readonly evidences: ArrayLike<number>;
  readonly length: number;
}

/** Around a place so many bins away from where values lie a column hardly varies. */
const USELESS = 2;

/**
 * Probability that a place is of no use: that values lie that far away from it, in bins as wide as they are apart. A wide bin can be as likely as a
 * narrow one inside it, and its middle is of no use where values lie as close together as the narrow one says.
 * @param taken  the likeliest of the places.
 * @param cells  width of a bin of each level.
 */
export function placeDoubt(
  { values, levels, evidences, length }: Places,
  taken: Place,
  cells: readonly number[],
): number {
  let [whole, lost] = [0, 0];
  for (let k = 0; k < length; k++) {
    const weight = exp(evidences[k]! - taken.evidence);
    whole += weight;
    if (Math.abs(taken.value - values[k]!) > USELESS * cells[levels[k]!]!) lost += weight;
  }
  return lost / whole;
}
