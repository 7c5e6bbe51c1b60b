/** How much of the way from the best that tasks learn alone to the best without privacy a private method closes. */
import { mean, standardError } from "../means.js";

/** The list, of one value a split, with the least mean. */
export const best = (lists) =>
  lists.reduce((least, list) => (mean(list) < mean(least) ? list : least));

/**
 * Shares of the mean way, by method and split: 0 is alone, 1 the best reference.
 * @param alone errors by split; @param references of others, those with a missing figure left out; @param found of the methods.
 * @returns undefined where the way is not longer than a standard error over splits: of nothing to gain no share can be said.
 */
export function closedShares({ alone, references, found }) {
  const reached = best(references.filter((list) => list.every(Number.isFinite)));
  const gain = reached.map((value, k) => alone[k] - value);
  if (!(mean(gain) > standardError(gain))) return undefined;
  return found.map((list) => list.map((value, k) => (alone[k] - value) / mean(gain)));
}

/**
 * Where more budget made things worse: pairs of neighbouring budgets whose paired difference of errors is above its standard error. Where
 * budget changed nothing, one pair in six would be by chance of normal differences.
 * @param found errors by split, by budget from the least on.
 */
export function worseWithMore(found, epsilons) {
  return found.slice(1).flatMap((list, k) => {
    const lost = list.map((value, split) => value - found[k][split]);
    const by = (100 * mean(lost)) / mean(found[k]);
    return mean(lost) > standardError(lost)
      ? [`eps ${epsilons[k + 1]} than ${epsilons[k]} by ${by.toFixed(1)} %`]
      : [];
  });
}

/** The same of several tables, in a line; nothing of one split, which tells of no chance. @param tables [{ name, errors }]. */
export function printWorseWithMore(all, epsilons) {
  const tables = all.filter(({ errors }) => errors[0].length > 1);
  const pairs = tables.length * (epsilons.length - 1);
  if (pairs === 0) return;
  const worse = tables.flatMap(({ name, errors }) =>
    worseWithMore(errors, epsilons).map((where) => `${name} at ${where}`),
  );
  const listed = worse.length > 0 ? `: ${worse.join(", ")}` : "";
  console.log(
    `\nWorse with more budget by more than a standard error of the paired difference, of ${pairs} pairs of neighbouring budgets ` +
      `(by chance one in six, were there no difference): ${worse.length}${listed}.`,
  );
}

export const percent = (value) => `${Math.round(100 * value)} %`;
