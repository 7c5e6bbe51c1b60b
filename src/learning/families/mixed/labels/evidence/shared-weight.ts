/**
 * Weight of the shared prior of a logistic mixed model against every task learning alone.
 * @module
 */

/**
 * Limits of the weight, and what is believed in, from -1 to 1, before the tasks are asked: with nothing known of the effects learning alone,
 * `believed` once a part `learned` of a variance is explained, and from there the more the better they are known, since then what tasks share harms
 * no task. Not .8 as soon as a little is learned: at eps = .3 unrelated tasks were worse than alone by a standard error and more. Of several classes
 * that it grows was not tried.
 */
const WEIGHT = {
  least: 1e-4,
  most: 0.98,
  believed: 0.5,
  learned: 0.25,
  believedOfKnown: 0.95,
} as const;

/** What is believed in where so large a part of an effect's variance is explained. */
function believedAt(known: number, classes: number): number {
  const { believed, learned, believedOfKnown } = WEIGHT;
  if (known < learned) return ((1 + believed) * known) / learned - 1;
  const most = classes > 2 ? believed : believedOfKnown;
  return believed + ((most - believed) * (known - learned)) / (1 - learned);
}

/**
 * Every task said which prior explains its rows better, g from -1 (alone) to 1. Where noise drowns that, the
 * shared prior counts as much as was learned of the fixed effects: nothing learned is learning alone.
 * @param sum       noisy, of (g, g^2 - 1) over m tasks.
 * @param deviation of the noise on each.
 * @param known     largest part of a fixed effect's variance that is explained, 0 to 1.
 * @param classes   of the target.
 */
export function sharedWeight(
  sum: Float64Array,
  deviation: number,
  m: number,
  known: number,
  classes = 2,
): number {
  const before = believedAt(known, classes);
  const prior = 1 + 2 * deviation + deviation ** 2 / m;
  const square = Math.max(sum[1]! + m, 0);
  const weight = 0.5 + (0.5 * (sum[0]! + before * prior)) / (square + prior);
  return Math.min(Math.max(weight, WEIGHT.least), WEIGHT.most);
}
