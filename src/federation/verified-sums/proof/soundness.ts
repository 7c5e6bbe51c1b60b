/**
 * How likely a report over the bound is accepted.
 *
 * **Statement.** A participant that evaluates the streams at most Q times, before it sends a report to two
 * honest aggregators whose key it does not know, has a vector of ||x|| > R accepted with probability at most
 *
 *   g_1^k_1 + sum_i C(k_2, i) min(1, Q j^i) g_2^(k_2 - i) + min(1, Q B),
 *
 * where k proofs are made of either circuit, g is the share of query points at which a wrong proof passes,
 * j the chance that joint randomness makes the second circuit zero on a wrong input, and B the probability
 * of as many successes as must be in so many tosses of a fair coin.
 *
 * **Proof.** The streams are random oracles. Such a report (i) has a wrong squared norm, and passes k_1
 * independent query points; or (ii) has bits on which the second circuit is not identically zero in the
 * joint randomness: for every set of i proofs, one of Q tries has joint randomness at which those circuits
 * vanish with probability at most Q j^i (Schwartz and Zippel), and the others pass their query points, which
 * are independent of all that the participant saw; or (iii) has ||x||^2 >= q, and all checks that must
 * succeed do, each with probability at most 1/2, in one of Q tries. QED
 * @see Boneh et al. (2019), Theorem 4.3; PINE, Lemma 3.3 and Corollary 3.13; Davis, Patton, Rosulek and
 *   Schoppmann (2023) on joint randomness from the shares.
 * @module
 */
import { positive } from "../../../core/checks.js";
import { queryError } from "./linear-proof.js";
import { combinationDegree } from "./norm-circuits.js";
import type { NormParameters } from "./norm-parameters.js";
import { checkPine, type Pine } from "./pine.js";

/**
 * The bound above.
 *
 * @param evaluations Q >= 1.
 */
export function soundnessError(pine: Pine, evaluations: number): number {
  const { parameters, proved } = checkPine("pine", pine);
  positive("evaluations", evaluations);
  const [equality, rest] = proved as [(typeof proved)[0], (typeof proved)[0]];
  const joint = combinationDegree(parameters) / Number(parameters.field.modulus);
  const g = queryError(rest.circuit);
  let error = product(queryError(equality.circuit), equality.times);
  for (let i = 0, ways = 1; i <= rest.times; i++) {
    error += ways * Math.min(1, evaluations * product(joint, i)) * product(g, rest.times - i);
    ways *= (rest.times - i) / (i + 1);
  }
  return error + Math.min(1, evaluations * chanceOfSuccesses(parameters));
}

/** B = 2^-r sum_(i >= s) C(r, i). */
function chanceOfSuccesses({ checks, successes }: NormParameters): number {
  let sum = 0;
  // C(r, i) 2^-r, from i = r down.
  for (let i = checks, term = 2 ** -checks; i >= successes; i--) {
    sum += term;
    term *= i / (checks - i + 1);
  }
  return sum;
}

function product(x: number, times: number): number {
  let result = 1;
  for (let i = 0; i < times; i++) result *= x;
  return result;
}
