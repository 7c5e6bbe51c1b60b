/**
 * Which tasks fall back whatever is still to be seen of their held-out rows.
 *
 * With losses s_j >= 0 of the shared model and o_j of the single-task model, a and b their means over n rows, a task falls back
 * (`fallback.ts`) where
 *   log(a / b) > errors SE,  SE^2 = sum_j (s_j / a - o_j / b)^2 / (n (n - 1)),
 * since the s_j / a - o_j / b have the mean 0. Let s_j be known of some rows, A their sum over n, and u = A / a, which lies in (0, 1]
 * whatever the rest are. These have the sum n a (1 - u), their squares at most its square, and products with o_j are not negative, so that
 *   n (n - 1) SE^2 <= V(u) = (sum s_j^2 / A^2) u^2 + n^2 (1 - u)^2 - 2 (sum s_j o_j / (A b)) u + sum o_j^2 / b^2,
 * the first two sums over the known rows. So a task falls back for certain where log(A / b) - log u > errors sqrt(V(u) / (n (n - 1)))
 * for all of these u. V is convex, hence at most what it is at the ends of an interval, and -log u at least what it is at the upper end.
 * @module
 */
import * as math from "../../core/elementary.js";

/** Intervals of u. */
const INTERVALS = 16;
const LOGS = Float64Array.from({ length: INTERVALS }, (_, k) => math.log((k + 1) / INTERVALS));
/** What the left side must be more by, relative to itself: far more than rounding. */
const MARGIN = 1e-9;

/** Sums over the rows of a task, and over those whose loss of the shared model is known. */
export interface PartlyKnown {
  /** Rows of the task. */
  n: number;
  /** Of its single-task model's losses, and of their squares. */
  own: number;
  ownSquares: number;
  /** Of the shared model's known losses, of their squares, and of their products with the others. */
  sum: number;
  squares: number;
  products: number;
}

/** Nothing is known of n rows. */
export const nothingKnown = (n: number): PartlyKnown => ({
  n,
  own: 0,
  ownSquares: 0,
  sum: 0,
  squares: 0,
  products: 0,
});

/**
 * Whether the test by the ratio of means, of so many standard errors, is met whatever the unknown losses of the shared model are, as
 * long as none is negative: where one is not finite, a task falls back in any case. False where a mean is 0 or a known loss is not finite.
 */
export function surelyFallsBack(of: PartlyKnown, errors: number): boolean {
  const { n } = of;
  const [least, mean] = [of.sum / n, of.own / n];
  if (!(n > 1 && errors >= 0 && least > 0 && mean > 0)) return false;
  const ratio = math.log(least / mean);
  const square = of.squares / least / least;
  const product = of.products / least / mean;
  const own = of.ownSquares / mean / mean;
  let upper = square - 2 * product + own;
  for (let k = INTERVALS - 1; k >= 0; k--) {
    const u = k / INTERVALS;
    const rest = n * (1 - u);
    const lower = square * u * u + rest * rest - 2 * product * u + own;
    const gap = (ratio - LOGS[k]!) * (1 - MARGIN);
    const most = Math.max(upper, lower, 0) / n / (n - 1);
    // Written so that NaN is refused too.
    if (!(gap > 0 && gap * gap > errors * errors * most)) return false;
    upper = lower;
  }
  return true;
}
