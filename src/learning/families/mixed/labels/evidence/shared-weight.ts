/**
 * Weight of the shared prior of a logistic mixed model against every task learning alone.
 * @module
 */

/**
 * Limits of the weight, and what is believed in, from -1 to 1, before the tasks are asked if effects are known well
 * enough. Not too much: at .8 and eps = .3 unrelated tasks were worse than alone by a standard error and more, at .5 they are not,
 * and tables have .3 to .8 % less log-loss than at .2.
 */
const WEIGHT = { least: 1e-4, most: 0.98, believed: 0.5, learned: 0.25 } as const;

/**
 * Every task said which prior explains its rows better, g from -1 (alone) to 1. Where noise drowns that, the
 * shared prior counts as much as was learned of the fixed effects: nothing learned is learning alone.
 * @param sum       noisy, of (g, g^2 - 1) over m tasks.
 * @param deviation of the noise on each.
 * @param known     largest part of a fixed effect's variance that is explained, 0 to 1.
 */
export function sharedWeight(
  sum: Float64Array,
  deviation: number,
  m: number,
  known: number,
): number {
  const before = (1 + WEIGHT.believed) * Math.min(1, known / WEIGHT.learned) - 1;
  const prior = 1 + 2 * deviation + deviation ** 2 / m;
  const square = Math.max(sum[1]! + m, 0);
  const weight = 0.5 + (0.5 * (sum[0]! + before * prior)) / (square + prior);
  return Math.min(Math.max(weight, WEIGHT.least), WEIGHT.most);
}
