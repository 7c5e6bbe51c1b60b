/**
 * How likely it is that the vote on the target's size failed, by what a task sees of its own target: post-processing of its own rows.
 * @module
 */
import { exp, log } from "../../../../core/elementary.js";

/** Before anything is seen: votes that stand three deviations out of their noise are right more often, and a failed one costs more. */
const FAILED = 0.5;

/** Standard deviations of the logarithm of a task's size to the base 4, around the voted one: where that is right, and where it is not. */
const APART = { right: 1, failed: 5 } as const;

/** A size over which likelihoods are summed: its square, the logarithm of that, and the densities of the size in either case. */
const GRID = Array.from({ length: 161 }, (_, k) => {
  const at = (k - 80) / 4;
  const variance = exp(2 * at * log(4));
  const density = (deviation: number) => exp(-((at / deviation) ** 2) / 2);
  return {
    variance,
    log: log(variance),
    right: density(APART.right),
    failed: density(APART.failed),
  };
});

/**
 * The probability that a task lies nowhere near the voted size. With few differences small ones say little, as normal ones are often small.
 * @param square mean square of the task's differences, in units of the voted size. @param n how many of them.
 */
export function voteDoubt(square: number, n: number): number {
  if (n === 0) return 0;
  const logs = GRID.map((size) => (-n / 2) * (size.log + square / size.variance));
  const most = Math.max(...logs);
  const likelihoods = logs.map((value) => exp(value - most));
  const under = (which: keyof typeof APART) => {
    let [told, whole] = [0, 0];
    GRID.forEach((size, k) => {
      told += size[which] * likelihoods[k]!;
      whole += size[which];
    });
    return told / whole;
  };
  const failed = FAILED * under("failed");
  return failed / (failed + (1 - FAILED) * under("right"));
}
