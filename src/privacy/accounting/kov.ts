/**
 * The composition bound of pure-DP rounds with different budgets.
 * @module
 */
import * as math from "../../core/elementary.js";
import { array, nonNegative } from "../../core/checks.js";
import { checkDelta } from "../delta.js";
import { rootOfSquares, roundUp, sum } from "./rounding.js";

/** The three valid bounds, of which the smallest counts. */
export interface CompositionTerms {
  /** sum eps_t */
  basic: number;
  /** sum eps_t tanh(eps_t / 2) + sqrt(2 ln(1/delta) sum eps_t^2); Infinity for delta 0. */
  log: number;
  /** The same with ln(e + sqrt(sum eps_t^2) / delta). */
  logE: number;
}

/** `{ epsilon, count }`: count rounds of budget epsilon. */
export interface PureRun {
  epsilon: number;
  count: number;
}

/** The terms of the bound, as computed, not rounded up. */
export function compositionTerms(runs: readonly PureRun[], delta: number): CompositionTerms {
  const n = runs.length;
  const basic = sum(n, (i) => runs[i]!.count * runs[i]!.epsilon);
  if (delta === 0) return { basic, log: Infinity, logE: Infinity };
  const drift = sum(n, (i) => runs[i]!.count * runs[i]!.epsilon * math.tanh(runs[i]!.epsilon / 2));
  const squares = sum(n, (i) => runs[i]!.count * runs[i]!.epsilon ** 2);
  // Squares of the least epsilons are no numbers, and a cost that rests on them is none.
  const root =
    squares > 1e-280
      ? Math.sqrt(squares)
      : rootOfSquares(runs.map(({ epsilon: x, count }) => ({ x, count })));
  const times = (log: number) => (squares > 1e-280 ? Math.sqrt(2 * squares * log) : root * Math.sqrt(2 * log)); // prettier-ignore
  return {
    basic,
    log: drift + times(-math.log(delta)),
    logE: drift + times(math.log(Math.E + root / delta)),
  };
}

/** The bound over runs of equal rounds, rounded up. */
export function compositionBoundOfRuns(runs: readonly PureRun[], delta: number): number {
  const { basic, log, logE } = compositionTerms(runs, delta);
  return roundUp(Math.min(basic, log, logE));
}

/**
 * Epsilon of the composition of pure eps_t-DP rounds at a chosen delta: the minimum of three bounds,
 * rounded up. It holds for budgets fixed in advance, not for budgets chosen on the way.
 *
 * @param epsilons eps_t >= 0, one per round.
 * @param delta    0 <= delta < 1; with 0 the bound is the sum.
 * @returns        epsilon, never above the sum (but for rounding).
 * @throws RangeError or TypeError naming the argument that is no such number.
 * @see Kairouz, Oh, Viswanath (2017), "The composition theorem for differential privacy",
 *      Theorem 3.5.
 * @example compositionBound([0.1, 0.2, 0.3], 0) // 0.6
 */
export function compositionBound(epsilons: ArrayLike<number>, delta: number): number {
  array("epsilons", epsilons);
  checkDelta(delta);
  const runs = Array.from({ length: epsilons.length }, (_, t) => ({
    epsilon: nonNegative(`epsilons[${t}]`, epsilons[t]!),
    count: 1,
  }));
  return compositionBoundOfRuns(runs, delta);
}
