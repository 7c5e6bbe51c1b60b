/**
 * What may be claimed of a computed figure: the one place through which every epsilon and delta passes. What
 * is not a number is unknown, and unknown is no protection.
 * @module
 */

/** An epsilon that may be claimed: at least 0; infinity for NaN. */
export function claimedEpsilon(computed: number): number {
  if (computed >= 0) return computed;
  return computed < 0 ? 0 : Infinity;
}

/** A delta that may be claimed: in [0, 1]; 1 for NaN. */
export function claimedDelta(computed: number): number {
  if (computed >= 0) return Math.min(1, computed);
  return computed < 0 ? 0 : 1;
}

/** Whether a cost is within a limit; NaN on either side is not. */
export function within(cost: number, limit: number): boolean {
  return cost <= limit;
}
