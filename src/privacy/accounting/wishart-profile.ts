/**
 * The exact privacy profile of one-sided Wishart noise.
 *
 * Zeroing out a column w of norm K from C + E, E ~ W_d(nu, v I), compares, by sufficiency of
 * w^T S^-1 w, the laws of X + b (with the column) and X (without it), X chi-square with
 * n = nu - d + 1 degrees of freedom, b = K^2 / v. The likelihood ratio is monotone, so each
 * hockey-stick divergence is a difference of two chi-square probabilities at a threshold t:
 *
 * without against with: F(t) - e^eps F(t - b), t = b / (1 - exp(-(b + 2 eps)/(n - 2)));
 * with against without: [1 - F(t - b)] - e^eps [1 - F(t)], t = b / (1 - exp(-(b - 2 eps)/(n - 2))),
 * and 0 for eps >= b/2.
 *
 * A shorter column is dominated: each divergence is a supremum over t of an expression that grows
 * with b.
 * @module
 */
import * as math from "../../core/elementary.js";
import { smallest } from "./bisect.js";
import { incompleteGamma, logIncompleteGamma } from "./special/gamma.js";

/** Degrees of freedom n = nu - d + 1 and shift b = K^2 / v. */
export interface WishartLaw {
  n: number;
  b: number;
}

/** Chi-square probabilities below and above x. */
export function chiSquare(n: number, x: number): { lower: number; upper: number } {
  return incompleteGamma(n / 2, x / 2);
}

/** e^epsilon times chi-square probabilities, in logs where a factor leaves the range of doubles. */
function scaled(n: number, x: number, epsilon: number): { lower: number; upper: number } {
  const { lower, upper } = chiSquare(n, x);
  const factor = math.exp(epsilon);
  if (epsilon < 700 && Math.min(lower, upper) > 1e-290) {
    return { lower: factor * lower, upper: factor * upper };
  }
  const log = logIncompleteGamma(n / 2, x / 2);
  return { lower: math.exp(epsilon + log.lower), upper: math.exp(epsilon + log.upper) };
}

/** Threshold of X at which the loss "without against with" is `loss`; Infinity if always above. */
export function wishartThreshold({ n, b }: WishartLaw, loss: number): number {
  const rate = b + 2 * loss;
  // At or below -b/2 every outcome qualifies.
  return rate <= 0 ? Infinity : b / -math.expm1(-rate / (n - 2));
}

/** Hockey-stick divergence of the release without the column against that with it. */
export function wishartWithoutWith(law: WishartLaw, epsilon: number): number {
  const t = wishartThreshold(law, epsilon);
  if (t === Infinity) return epsilon <= -law.b / 2 ? -math.expm1(epsilon) : 1;
  const with_ = chiSquare(law.n, t - law.b);
  const without = chiSquare(law.n, t);
  const difference =
    with_.upper < 0.5 && epsilon < 700
      ? -math.expm1(epsilon) + math.exp(epsilon) * with_.upper - without.upper
      : without.lower - scaled(law.n, t - law.b, epsilon).lower;
  return Math.max(0, difference);
}

/** Hockey-stick divergence of the release with the column against that without it. */
export function wishartWithWithout(law: WishartLaw, epsilon: number): number {
  const t = wishartThreshold(law, -epsilon);
  if (t === Infinity) return 0;
  const difference = chiSquare(law.n, t - law.b).upper - scaled(law.n, t, epsilon).upper;
  return Math.max(0, difference);
}

/** delta(eps) under zero-out: the larger of both directions. */
export function wishartZeroOutDelta(law: WishartLaw, epsilon: number): number {
  return Math.max(wishartWithoutWith(law, epsilon), wishartWithWithout(law, epsilon));
}

/** Probability that the release without the column is impossible with it: the loss is infinite. */
export function wishartInfiniteMass({ n, b }: WishartLaw): number {
  return chiSquare(n, b).lower;
}

/**
 * Upper bound of a hockey-stick divergence through an intermediate world, minimised over the split:
 * H_(e1+e2)(A|C) <= H_e1(A|B) + e^e1 H_e2(B|C), with e1 from -reach to eps + reach.
 *
 * @returns the bound, and e1.
 */
export function throughWorld(
  first: (epsilon: number) => number,
  second: (epsilon: number) => number,
  epsilon: number,
  reach: number,
): { value: number; split: number } {
  const cost = (e1: number) => first(e1) + math.exp(e1) * second(epsilon - e1);
  const [least, most] = [-reach, epsilon + reach];
  let [low, high] = [least, most];
  let best = Infinity;
  let at = 0;
  // The cost may have several valleys: a scan finds the right one, finer scans its bottom.
  for (let round = 0; round < 6; round++) {
    const step = (high - low) / 64;
    for (let i = 0; i <= 64; i++) {
      const e1 = i === 64 ? high : low + i * step;
      const value = cost(e1);
      if (value < best) {
        best = value;
        at = e1;
      }
    }
    low = Math.max(least, at - step);
    high = Math.min(most, at + step);
  }
  return { value: best, split: at };
}

/** Upper bound of delta(eps) under replace: through the world with both columns, or with neither. */
export function wishartReplaceDelta(law: WishartLaw, epsilon: number): number {
  const without = (e: number) => wishartWithoutWith(law, e);
  const with_ = (e: number) => wishartWithWithout(law, e);
  const reach = law.b / 2;
  return Math.min(
    throughWorld(without, with_, epsilon, reach).value,
    throughWorld(with_, without, epsilon, reach).value,
    1,
  );
}

/** Smallest eps at a delta under zero-out; Infinity where none exists. */
export function wishartZeroOutEpsilon(law: WishartLaw, delta: number): number {
  if (wishartZeroOutDelta(law, 0) <= delta) return 0;
  if (wishartInfiniteMass(law) > delta) return Infinity;
  return smallest((epsilon) => wishartZeroOutDelta(law, epsilon) <= delta, 1, 1e-14);
}
