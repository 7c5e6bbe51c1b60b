/**
 * Hypotheses on how far tasks lie apart in a logistic mixed model, and the public belief in them.
 * @module
 */
import { exp, log } from "../../../../core/elementary.js";

/** Standard deviations of the tasks' slopes (all the same) and of their intercepts, in units of the log-odds. */
export interface Hypotheses {
  readonly count: number;
  /** [count, d]: standard deviation of every coordinate, the intercept's last. */
  readonly scales: Float64Array;
  /** Logarithms of the public prior probabilities, up to a constant. */
  readonly logPrior: Float64Array;
  /** Positions for smoothing, [count, 2]: logarithms of the two scales. */
  readonly positions: Float64Array;
}

/**
 * Of two classes as wide as a grid of so many can be without being coarse: tables have slopes beyond 3, which a grid that ends there takes for 3
 * (1.5 to 2 % of the log-loss at eps up to 1), and every further one is a number whose noise all others share. Of one among several against
 * the rest slopes are less steep: with that grid four tables had .6 % more.
 */
const SLOPES = { two: [0.1, 0.4, 1.5, 6], several: [0.1, 0.3, 1, 3] } as const;
const INTERCEPTS = [0.1, 0.3, 1, 3, 10] as const;

/** Log-normal: an effect of 2 on the log-odds, an intercept of 3, give or take a factor of e^2. */
const BELIEF = { slope: 2, intercept: 3, spread: 2 } as const;
const logNormal = (value: number, median: number) =>
  -((log(value / median) / BELIEF.spread) ** 2) / 2;

/**
 * The grid for models of d coordinates; without slopes only the intercept's scale varies.
 * @param classes of the target.
 */
export function hypotheses(d: number, classes = 2): Hypotheses {
  const slopes = d > 1 ? SLOPES[classes > 2 ? "several" : "two"] : [1];
  const pairs = slopes.flatMap((slope) => INTERCEPTS.map((intercept) => ({ slope, intercept })));
  const scales = new Float64Array(pairs.length * d);
  const logPrior = new Float64Array(pairs.length);
  const positions = new Float64Array(2 * pairs.length);
  pairs.forEach(({ slope, intercept }, h) => {
    scales.fill(slope, h * d, (h + 1) * d);
    scales[(h + 1) * d - 1] = intercept;
    positions.set([log(slope), log(intercept)], 2 * h);
    logPrior[h] = logNormal(slope, BELIEF.slope) + logNormal(intercept, BELIEF.intercept);
  });
  return { count: pairs.length, scales, logPrior, positions };
}

/** Scales in the middle of a belief: geometric means, [d]. */
export function centralScales(
  { count, scales }: Hypotheses,
  weights: Float64Array,
  d: number,
): Float64Array {
  const logs = new Float64Array(d);
  for (let h = 0; h < count; h++) {
    for (let j = 0; j < d; j++) logs[j]! += weights[h]! * log(scales[h * d + j]!);
  }
  return logs.map(exp);
}
