/**
 * How far a rule shrinks: eta lambda.
 * @module
 */

/** The same in every round, or what a solver that changes its step size says in each. */
export type Threshold = number | (() => number);

export const thresholdNow = (threshold: Threshold): number =>
  typeof threshold === "number" ? threshold : threshold();
