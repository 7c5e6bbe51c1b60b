/**
 * How likely it is that the vote on the target's size failed, by what a task sees of its own target: post-processing of its own rows.
 * @module
 */
import { exp, log } from "../../../core/elementary.js";

/** Before anything is seen: votes that stand three deviations out of their noise are right more often, and a failed one costs more. */
const FAILED = 0.5;

/** Standard deviations of the logarithm of a task's size to the base 4, around the voted one: where that is right, and where it is not. */
const APART = { right: 1, failed: 5 } as const;

/** Logarithms of sizes to the base 4 over which likelihoods are summed. */
const GRID = Array.from({ length: 161 }, (_, k) => (k - 80) / 4);

/**
 * The probability that a task lies nowhere near the voted size. With few differences small ones say little, as normal ones are often small.
 * @param square mean square of the task's differences, in units of the voted size. @param n how many of them.
 */
export function voteDoubt(square: number, n: number): number {
  if (n === 0) return 0;
  const logs = GRID.map((at) => {
    const variance = exp(2 * at * log(4));
    return (-n / 2) * (log(variance) + square / variance);
  });
  const most = Math.max(...logs);
  const under = (deviation: number) => {
    let [told, whole] = [0, 0];
    GRID.forEach((at, k) => {
      const weight = exp(-((at / deviation) ** 2) / 2);
      told += weight * exp(logs[k]! - most);
      whole += weight;
    });
    return told / whole;
  };
  const failed = FAILED * under(APART.failed);
  return failed / (failed + (1 - FAILED) * under(APART.right));
}
