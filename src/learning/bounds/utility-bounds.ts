/**
 * Utility bounds of Algorithms 2 and 3: how far from the optimum noisy rounds end, and how many rounds are best.
 *
 * The route is that of Liang et al. (2020), Theorems 2 to 5 and Claim 2: a round is an accelerated or plain proximal gradient step
 * whose proximal point is inexact because of the noise, and Schmidt, Le Roux and Bach (2011) bound what such errors do. The
 * papers state orders with unnamed constants; the constants here are proven, below, so that a bound can be computed. They hold where no
 * model is clipped and the optimum is one of the penalised problem's, with `shift: 0`, from a release as it is printed.
 *
 * **What noise does to a proximal point.** With theta = lambda / L, phi(x) = max(0, 1 - theta / sqrt(x)) (0 for x <= 0) has slope at most
 * 1 / (2 theta^2), so ||phi(C + E) - phi(C)||_F <= ||E||_F / (2 theta^2) for symmetric C and E (a function of one variable with slope at
 * most c is c-Lipschitz on symmetric matrices in the Frobenius norm), and both lie between 0 and I. Hence the round's models
 * miss the exact proximal point X of Y by D with ||D||_F <= ||Y||_F min(1, ||E||_F / (2 theta^2)), and ||Y||_F <= K sqrt(m). As L (Y - X) is a
 * subgradient of lambda g at X, the proximal objective at X + D is above its minimum by at most
 * (L/2) ||D||_F^2 + 2 lambda g(D), with g(D) <= sqrt(r) ||D||_F for the trace norm, r = min(d, m), and the l2,1 norm, r = d. QED
 * @module
 */
import * as math from "../../core/elementary.js";
import { integer, nonNegative, object, oneOf, positive } from "../../core/checks.js";
import {
  allocateBudget,
  createMechanism,
  type Adjacency,
  type MechanismName,
  type Schedule,
} from "../../privacy/index.js";
import { inexactProximalBound, type BoundAcceleration, type Bounded } from "./inexact-steps.js";

/** What a round releases: all of W W^T (Algorithm 2) or its diagonal (Algorithm 3). */
export type BoundStatistic = "covariance" | "diagonal";

/**
 * ||E||_F of a release's noise, or of its diagonal, exceeded with probability at most `failure`.
 *
 * Gaussian: a chi-square of d (d + 1) / 2 (diagonal: d) degrees of freedom, by Laurent and Massart (2000), Lemma 1. Wishart of d + 1
 * degrees of freedom: the smaller of its trace, a chi-square of d (d + 1), and sqrt(d) times its largest eigenvalue, by Davidson and Szarek (2001).
 *
 * @param options `scale`: sigma, or v of W_d(d + 1, v I).
 * @throws RangeError naming what is out of range.
 */
export function noiseNormBound(
  mechanism: "gaussian" | "wishart",
  options: {
    statistic: BoundStatistic;
    dimension: number;
    scale: number;
    failure: number;
  },
): number {
  oneOf("mechanism", mechanism, ["gaussian", "wishart"]);
  const { statistic, dimension: d, scale, failure } = object("options", options);
  integer("dimension", d, 1);
  nonNegative("scale", scale);
  if (!(failure > 0 && failure < 1)) {
    throw new RangeError(`failure: expected above 0 and below 1, got ${failure}`);
  }
  const t = -math.log(failure);
  const chiSquare = (k: number) => k + 2 * Math.sqrt(k * t) + 2 * t;
  if (mechanism === "gaussian") {
    return scale * Math.sqrt(chiSquare(statistic === "diagonal" ? d : (d * (d + 1)) / 2));
  }
  // The diagonal's norm is at most the matrix's.
  const largest = (Math.sqrt(d) + Math.sqrt(d + 1) + Math.sqrt(2 * t)) ** 2;
  return scale * Math.min(chiSquare(d * (d + 1)), Math.sqrt(d) * largest);
}

/** Options of {@link utilityBound}. */
export interface UtilityOptions {
  /** "covariance": Algorithm 2, trace norm. "diagonal": Algorithm 3, l2,1 norm. */
  statistic: BoundStatistic;
  /** m. */
  tasks: number;
  /** d. */
  features: number;
  /** T >= 1. */
  rounds: number;
  /** K > 0. */
  clip: number;
  /** lambda > 0. */
  lambda: number;
  /** L > 0, strong convexity included; the step is 1/L. */
  smoothness: number;
  /** mu; default 0. */
  strongConvexity?: number;
  /** Default "convex". */
  acceleration?: BoundAcceleration;
  /** ||W(0) - W*||_F; default 2 K sqrt(m), the most that models within K can be apart. */
  distance?: number;
  /** Default what the papers' theory recommends, {@link recommendedSchedule}. */
  schedule?: Schedule;
  /** Total epsilon; with the Wishart names nominal. */
  epsilon: number;
  /** Total delta, in [0, 1). */
  delta: number;
  /** Default "gaussian" or "gaussian-diagonal". */
  mechanism?: Extract<
    MechanismName,
    "gaussian" | "gaussian-diagonal" | "wishart" | "wishart-older"
  >;
  /** Default "replace". */
  adjacency?: Adjacency;
  /** Probability that some round's noise is larger than bounded; default 0.05. */
  failure?: number;
}

/** A bound and what it is made of. */
export interface UtilityBound {
  /** Holds with probability at least 1 - failure, where no model was clipped. */
  readonly bound: number;
  /** What is bounded. */
  readonly of: Bounded;
  /** [T], bound on ||E||_F of every round. */
  readonly noise: Float64Array;
  /** [T], bound on how far every round's proximal objective is above its minimum. */
  readonly errors: Float64Array;
}

/**
 * The schedule that minimises the errors' weighted sum in the bounds: eps_t proportional to (weight of sqrt(e_t))^(2/5), and ^(2/3)
 * for delta 0, since sqrt(e_t) goes with eps_t^(-1/2) and sum eps_t^2, or sum eps_t, is held.
 *
 * @see Liang et al. (2020), the remarks after Theorems 2 to 5.
 */
export function recommendedSchedule(options: {
  acceleration: BoundAcceleration;
  smoothness: number;
  strongConvexity?: number;
  delta: number;
}): Schedule {
  const { acceleration, smoothness, strongConvexity = 0, delta } = object("options", options);
  const power = delta > 0 ? 2 / 5 : 2 / 3;
  const ratio = Math.min(strongConvexity / smoothness, 0.99);
  if (acceleration === "strongly-convex" && ratio > 0) {
    return { kind: "geometric", ratio: math.pow(1 - Math.sqrt(ratio), power / 2) };
  }
  if (acceleration !== "none") return { kind: "polynomial", exponent: power };
  if (ratio === 0) return { kind: "constant" };
  return { kind: "geometric", ratio: math.pow(1 - ratio, power) };
}

/**
 * Bound on what T rounds of Algorithm 2 or 3 are above the optimum of sum_i L_i(w_i) + lambda g(W).
 *
 * Nothing private is read: sizes, settings and the budget determine it. It is a worst case, far above what is measured
 * (`npm run paper -- utility-bounds`), and useful for how it changes with T, eps, m and the schedule.
 *
 * @see Liang et al. (2020), Theorems 2 and 3 (low rank), 4 and 5 (group sparse); Table II.
 * @throws RangeError naming what is out of range.
 * @example utilityBound({ statistic: "covariance", tasks: 320, features: 30, rounds: 50, clip: 60, lambda: 3,
 *   smoothness: 1, epsilon: 1, delta: 1e-4 }).bound
 */
export function utilityBound(options: UtilityOptions): UtilityBound {
  object("options", options);
  const { statistic, acceleration = "convex", failure = 0.05, adjacency = "replace" } = options;
  oneOf("statistic", statistic, ["covariance", "diagonal"]);
  const m = integer("tasks", options.tasks, 1);
  const d = integer("features", options.features, 1);
  const rounds = integer("rounds", options.rounds, 1);
  const clip = positive("clip", options.clip);
  const lambda = positive("lambda", options.lambda);
  const L = positive("smoothness", options.smoothness);
  const { strongConvexity = 0, epsilon, delta, distance = 2 * clip * Math.sqrt(m) } = options;
  const { mechanism: name = statistic === "diagonal" ? "gaussian-diagonal" : "gaussian" } = options;
  const mechanism = createMechanism({
    name,
    statistic,
    tasks: m,
    dimension: d,
    clip,
    adjacency,
    delta,
  });
  const recommended = { acceleration, smoothness: L, strongConvexity, delta };
  const { schedule = recommendedSchedule(recommended) } = options;
  const { budgets } = allocateBudget({ schedule, rounds, epsilon, delta, mechanism });
  const law = name.startsWith("wishart") ? "wishart" : "gaussian";
  const theta = lambda / L;
  const size = clip * Math.sqrt(m);
  const dimension = { statistic, dimension: d, failure: failure / rounds };
  const noise = budgets.map((budget) =>
    noiseNormBound(law, { ...dimension, scale: mechanism.noiseScale(budget) }),
  );
  const root = Math.sqrt(statistic === "diagonal" ? d : Math.min(d, m));
  const errors = noise.map((norm) => {
    const missed = size * Math.min(1, norm / (2 * theta * theta));
    return (L / 2) * missed ** 2 + 2 * lambda * root * missed;
  });
  const found = { errors, smoothness: L, strongConvexity, acceleration, distance };
  return { ...inexactProximalBound(found), noise, errors };
}
