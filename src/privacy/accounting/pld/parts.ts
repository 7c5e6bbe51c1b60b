/**
 * What is known of composed parts before they are composed.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { sum } from "../rounding.js";
import type { Bound, Part, Tails } from "./loss-law.js";

/**
 * Probability of an infinite loss, the smallest delta there is, in one direction; "lower": without what only may be infinite, where
 * a law is known but for that.
 */
export function infiniteMass(parts: readonly Part[], bound: Bound = "upper"): number {
  const none = sum(parts.length, (i) => {
    const { law, count } = parts[i]!;
    const { infinite } = bound === "lower" ? (law.weakened?.(1) ?? law) : law;
    return count * math.log1p(-infinite);
  });
  // Not a negative zero.
  return 0 - math.expm1(none);
}

const UNIT = 2 ** -53;

/** Bound on the total variation of the composition: eps 0 at this delta and above. */
export function totalVariation(parts: readonly Part[]): number {
  const at: Tails = { pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 };
  return sum(parts.length, (i) => {
    parts[i]!.law.tails(0, at);
    return parts[i]!.count * (at.pAbove - at.qAbove + 8 * UNIT);
  });
}
