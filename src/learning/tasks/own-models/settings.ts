/**
 * The public prior of a task's own model: how large slopes, intercepts and noise tend to be, before any row is seen.
 * One setting for all tables, found on tables and simulations that vary what tables vary; weak enough that a
 * task's rows overrule it.
 * @module
 */
import { log, pow } from "../../../core/elementary.js";

/** Belief about the logarithm of a variance: its centre, on the variance's own scale, and its standard deviation. */
export interface LogBelief {
  readonly center: number;
  readonly deviation: number;
}

/** Half decades from 10^(from/2) to 10^(to/2). */
const halfDecades = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, k) => pow(10, (from + k) / 2));

/** Squared loss: variances of what all slopes together explain, of a row's noise, and of the intercept. */
export const SQUARED = {
  slopes: halfDecades(-5, 3),
  noise: halfDecades(-8, 1),
  /** Ratios of the intercept's variance to that of the slopes. */
  ratios: [0.1, pow(10, 0.5), 100],
  intercept: { center: 1, deviation: 4 },
  /** In units of half a target's declared half range, a typical deviation of it. */
  declared: { slopes: { center: 2, deviation: 3 }, noise: { center: 0.2, deviation: 3 } },
  /** In units of the deviation of the task's own targets. */
  own: { slopes: { center: 1, deviation: 2.5 }, noise: { center: 0.3, deviation: 2.5 } },
} as const;

/** A typical deviation of a target that was scaled to [-1, 1], and size of a feature. */
export const TARGET_DEVIATION = 0.5;
export const TYPICAL_SIZE = 0.5;

/**
 * Logistic loss: standard deviations of the log-odds of a row, by what all slopes together explain and by the intercept. Settled on
 * 73 tables of labels (one split of each) as is the part of their moderation that modes get.
 */
export const LOGISTIC = {
  slopes: [0.1, 0.3, 1, 3, 10],
  intercept: [1, 3, 10],
  belief: { slopes: { center: 1.2, deviation: 1.5 }, intercept: { center: 2, deviation: 1 } },
  moderation: 0.4,
} as const;

/**
 * Softmax loss: deviations of each class's slopes, of a feature spread evenly over [-1, 1], and of its intercept; of one size, since there is no
 * average of modes.
 */
export const SOFTMAX = {
  slopes: 0.8,
  intercept: 1,
  /** Mean square of such a feature. */
  meanSquare: 1 / 3,
} as const;

/** Log density, up to a constant. */
export function logBelief(value: number, { center, deviation }: LogBelief): number {
  return -((log(value / center) / deviation) ** 2) / 2;
}
