/**
 * Convergence bounds of PMTL: how far its noisy rounds end from a stationary point, or from the optimum.
 *
 * Hu, Wu and Smith (2023) state such bounds for their Algorithm 1 (losses that are not convex, convex, strongly convex) under the assumption that no
 * update is clipped. These are derived here with all constants, for one local step a round, all tasks taking part, updates relative to the
 * shared model and a server's step of 1.
 *
 * **Proof.** Then w~(t) = mean of w_k(t) + z_t, z_t of independent normal entries of standard deviation sigma, drawn after the models. With
 * F(W) = sum_k l_k(w_k) + (lambda/2) sum_k ||w_k - w_bar||^2 a round is W - eta (grad F(W) - lambda 1 z_t^T): a gradient step with unbiased
 * noise of expected squared norm lambda^2 m d sigma^2. F is (L + lambda)-smooth, so for eta <= 1/(L + lambda)
 * E F(W+) <= F(W) - (eta/2) ||grad F||^2 + ((L + lambda) eta^2 / 2) lambda^2 m d sigma^2. Summing over rounds gives the first bound; with
 * ||grad F||^2 >= 2 mu (F - F*) and a geometric sum, the second. Divided by m. QED
 * @module
 */
import { integer, nonNegative, object, positive } from "../../core/checks.js";
import * as math from "../../core/elementary.js";
import { allocateBudget, createMechanism, type Adjacency } from "../../privacy/index.js";

/** Options of {@link averagingBound}. */
export interface AveragingOptions {
  /** m. */
  tasks: number;
  /** d, parameters of a model. */
  parameters: number;
  /** T >= 1. */
  rounds: number;
  /** gamma > 0, bound on an update's norm; no update may reach it. */
  clip: number;
  /** lambda >= 0, of (lambda/2) ||w_k - w~||^2. */
  lambda: number;
  /** L > 0, of every l_k. */
  smoothness: number;
  /** mu of every l_k, 0 <= mu <= L; default 0. */
  strongConvexity?: number;
  /** eta, at most 1/(L + lambda); default that. */
  stepSize?: number;
  /** (F(W(0)) - F*) / m, how far the start is above the optimum, in the mean over tasks, >= 0. */
  gap: number;
  /** Total epsilon of all rounds together, > 0. */
  epsilon: number;
  /** Total delta of all rounds together, in [0, 1). */
  delta: number;
  /** What neighbouring data sets differ in; default "replace". */
  adjacency?: Adjacency;
}

/** How far the rounds end from where they aim, in expectation over the noise. */
export interface AveragingBound {
  /** Least over the rounds of the mean over tasks of the squared gradient, ||grad F||^2 / m. */
  readonly stationarity: number;
  /** (F(W(T)) - F*) / m, how far the last models are above the optimum, in the mean over tasks; Infinity where mu is 0. */
  readonly gap: number;
  /** Standard deviation of every entry of the noise in the shared model. */
  readonly sigma: number;
}

/**
 * How far T noisy rounds of PMTL end from a stationary point, and from the optimum where the losses are strongly convex. A worst case from
 * sizes, settings and the budget alone: nothing private is read.
 *
 * @see Hu, Wu, Smith (2023), the convergence theorems of their Algorithm 1.
 * @throws RangeError naming what is out of range.
 */
export function averagingBound(options: AveragingOptions): AveragingBound {
  object("options", options);
  const m = integer("tasks", options.tasks, 1);
  const d = integer("parameters", options.parameters, 1);
  const T = integer("rounds", options.rounds, 1);
  const clip = positive("clip", options.clip);
  const lambda = nonNegative("lambda", options.lambda);
  const L = positive("smoothness", options.smoothness);
  const mu = nonNegative("strongConvexity", options.strongConvexity ?? 0);
  if (mu > L) throw new RangeError(`strongConvexity: expected at most smoothness ${L}, got ${mu}`);
  const eta = positive("stepSize", options.stepSize ?? 1 / (L + lambda));
  if (eta > (1 + 1e-12) / (L + lambda)) {
    throw new RangeError(
      `stepSize: expected at most 1 / (smoothness + lambda) = ${1 / (L + lambda)}, got ${eta}`,
    );
  }
  const gap = nonNegative("gap", options.gap);
  const { epsilon, delta, adjacency = "replace" } = options;
  const sizes = { statistic: "vector", tasks: m, dimension: d, clip } as const;
  const mechanism = createMechanism({ ...sizes, adjacency, delta });
  const { budgets } = allocateBudget({ rounds: T, epsilon, delta, mechanism });
  // The mechanism's noise is on the sum over tasks.
  const sigma = mechanism.noiseScale(budgets[0]!) / m;
  const perRound = ((L + lambda) * (eta * lambda * sigma) ** 2 * d) / 2;
  const rate = Math.min(1, eta * mu);
  const kept = math.pow(1 - rate, T);
  // 1 - kept, which would cancel for a small rate: the noise of all rounds would vanish from the bound.
  const lost = -math.expm1(T * math.log1p(-rate));
  return {
    stationarity: (2 * gap) / (eta * T) + (2 * perRound) / eta,
    gap: mu > 0 ? kept * gap + (perRound * lost) / rate : Infinity,
    sigma,
  };
}
