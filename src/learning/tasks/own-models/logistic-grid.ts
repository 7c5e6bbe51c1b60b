/**
 * The public grid of prior deviations over which own models of labels are averaged.
 * @module
 */
import { logBelief, LOGISTIC } from "./settings.js";

/** A grid point: deviations of slopes and intercept, and its log prior. */
export interface Hypothesis {
  readonly slopes: number;
  readonly intercept: number;
  readonly prior: number;
}

export function hypothesesOf(intercept: boolean): Hypothesis[] {
  const { belief } = LOGISTIC;
  return LOGISTIC.slopes.flatMap((slopes) =>
    (intercept ? LOGISTIC.intercept : [1]).map((own) => ({
      slopes,
      intercept: own,
      prior: logBelief(slopes, belief.slopes) + (intercept ? logBelief(own, belief.intercept) : 0),
    })),
  );
}
