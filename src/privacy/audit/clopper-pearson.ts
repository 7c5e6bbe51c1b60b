/**
 * Exact confidence bounds for a probability from a count (Clopper and Pearson 1934).
 *
 * With k successes in n independent trials, the lower bound is the p at which k or more successes
 * have probability alpha, the upper bound the p at which k or fewer have. Each is wrong with
 * probability at most alpha, whatever the true p is; no normal approximation is involved.
 * @module
 */
import { integer, positive } from "../../core/checks.js";
import { bisect } from "../accounting/bisect.js";
import { roundDown, roundUp } from "../accounting/rounding.js";
import { binomialAtLeast } from "../accounting/special/binomial.js";

function check(successes: number, trials: number, alpha: number): void {
  integer("trials", trials, 1);
  integer("successes", successes, 0, trials);
  positive("alpha", alpha);
  if (alpha >= 1) throw new RangeError(`alpha: expected 0 < alpha < 1, got ${alpha}`);
}

/**
 * Lower confidence bound: the true probability is below it with probability at most alpha.
 *
 * @param successes integer, 0 to `trials`.
 * @param alpha     0 < alpha < 1, the chance to be wrong.
 * @returns 0 with no success; alpha^(1/n) when all succeed.
 */
export function clopperPearsonLower(successes: number, trials: number, alpha: number): number {
  check(successes, trials, alpha);
  if (successes === 0) return 0;
  const low = (p: number) => binomialAtLeast(trials, successes, p) <= alpha;
  // The bracket's inside is the end that claims less.
  return roundDown(bisect(low, { inside: 0, outside: 1 }, 1e-13).inside);
}

/**
 * Upper confidence bound: the true probability is above it with probability at most alpha.
 * @param successes how many of the independent `trials` succeeded.
 */
export function clopperPearsonUpper(successes: number, trials: number, alpha: number): number {
  check(successes, trials, alpha);
  if (successes === trials) return 1;
  // Few successes are many failures, a tail that is computed without cancellation.
  const high = (p: number) => binomialAtLeast(trials, trials - successes, 1 - p) <= alpha;
  return Math.min(1, roundUp(bisect(high, { inside: 1, outside: 0 }, 1e-13).inside));
}
