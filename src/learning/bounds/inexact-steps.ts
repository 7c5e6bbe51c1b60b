/**
 * What proximal gradient steps reach whose proximal points are inexact, and how many of them are best.
 * @see Schmidt, Le Roux, Bach (2011), "Convergence rates of inexact proximal-gradient methods for convex optimization".
 * @module
 */
import * as math from "../../core/elementary.js";
import {
  array,
  callable,
  integer,
  nonNegative,
  object,
  oneOf,
  positive,
} from "../../core/checks.js";

/** Momentum, as in the option `acceleration`. */
export type BoundAcceleration = "none" | "convex" | "strongly-convex";

/** Rounds whose proximal points are inexact. */
export interface InexactRounds {
  /** e_1..e_T >= 0: by how much each round's proximal objective exceeds its minimum. */
  errors: ArrayLike<number>;
  /** L > 0, of the smooth part, strong convexity included. */
  smoothness: number;
  /** mu, 0 <= mu < L; default 0. Above 0 and without acceleration the distance is bounded, not the objective. */
  strongConvexity?: number;
  /** The steps' acceleration, which decides on the proposition. */
  acceleration: BoundAcceleration;
  /** ||W(0) - W*||_F. */
  distance: number;
  /** f(W(0)) - f(W*), for "strongly-convex"; default (L/2) distance^2, which holds where the penalty is 0. */
  gap?: number;
}

/** What is bounded: f - f* at the average of the models, at the last ones, or ||W(T) - W*||_F. */
export type Bounded = "average" | "last" | "distance";

/**
 * What T rounds of proximal gradient steps with inexact proximal points guarantee.
 *
 * @see Schmidt, Le Roux, Bach (2011), "Convergence rates of inexact proximal-gradient methods for convex optimization",
 *   Propositions 1 (none), 2 (convex), 3 (none, mu > 0) and 4 (strongly-convex), with exact gradients.
 * @returns the bound, and what it is `of`.
 * @throws RangeError naming what is out of range.
 */
export function inexactProximalBound(rounds: InexactRounds): { bound: number; of: Bounded } {
  const { errors, acceleration } = object("rounds", rounds);
  const L = positive("smoothness", rounds.smoothness);
  const mu = nonNegative("strongConvexity", rounds.strongConvexity ?? 0);
  const distance = nonNegative("distance", rounds.distance);
  oneOf("acceleration", acceleration, ["none", "convex", "strongly-convex"]);
  const T = integer("errors.length", array("errors", errors).length, 1);
  if (mu >= L)
    throw new RangeError(`strongConvexity: expected less than smoothness ${L}, got ${mu}`);
  let [roots, sum] = [0, 0];
  if (acceleration === "strongly-convex") {
    if (mu === 0) throw new RangeError("strongConvexity: expected above 0 for this acceleration");
    const gap = nonNegative("gap", rounds.gap ?? (L / 2) * distance ** 2);
    const rate = 1 - Math.sqrt(mu / L);
    // Every term is scaled by rate^T beforehand, as rate^-T overflows.
    for (let t = 1; t <= T; t++) {
      const e = nonNegative(`errors[${t - 1}]`, errors[t - 1]!);
      roots += Math.sqrt(2 * L * e) * math.pow(rate, (T - t) / 2);
      sum += e * math.pow(rate, T - t);
    }
    const start = Math.sqrt(2 * gap * math.pow(rate, T));
    return { bound: (start + roots * Math.sqrt(2 / mu) + Math.sqrt(sum)) ** 2, of: "last" };
  }
  const shrinks = mu > 0 && acceleration === "none";
  const rate = 1 - mu / L;
  for (let t = 1; t <= T; t++) {
    const e = nonNegative(`errors[${t - 1}]`, errors[t - 1]!);
    const weight = shrinks ? math.pow(rate, T - t) : acceleration === "convex" ? t : 1;
    roots += weight * Math.sqrt((2 * e) / L);
    sum += (weight ** 2 * e) / L;
  }
  if (shrinks) return { bound: math.pow(rate, T) * distance + roots, of: "distance" };
  const factor = acceleration === "convex" ? (2 * L) / (T + 1) ** 2 : L / (2 * T);
  const bound = factor * (distance + 2 * roots + Math.sqrt(2 * sum)) ** 2;
  return { bound, of: acceleration === "convex" ? "last" : "average" };
}

/**
 * The number of rounds of the least bound: more rounds come nearer to the optimum and leave each less of the budget.
 *
 * @param boundAt bound for T rounds, for example of {@link utilityBound} or `averagingBound`.
 * @param most largest T that is tried; default 1000.
 * @returns T, the best among 1 to 20, those a twentieth apart up to `most`, and the neighbours of the best of these.
 * @see Liang et al. (2020), Claim 2.
 */
export function bestRounds(
  boundAt: (rounds: number) => number,
  most = 1000,
): { rounds: number; bound: number } {
  callable("boundAt", boundAt);
  integer("most", most, 1);
  const tried = new Set<number>();
  let best = { rounds: 1, bound: boundAt(1) };
  const attempt = (T: number) => {
    if (T < 1 || T > most || tried.has(T)) return;
    tried.add(T);
    const bound = boundAt(T);
    if (bound < best.bound) best = { rounds: T, bound };
  };
  for (let T = 2; T <= most; T = Math.max(T + 1, Math.floor(T * 1.05))) attempt(T);
  attempt(most);
  for (
    let step = Math.ceil(best.rounds / 20);
    step >= 1;
    step = step > 1 ? Math.ceil(step / 2) : 0
  ) {
    const { rounds } = best;
    attempt(rounds - step);
    attempt(rounds + step);
  }
  return best;
}
