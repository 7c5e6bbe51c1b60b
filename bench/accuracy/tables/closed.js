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

export const percent = (value) => `${Math.round(100 * value)} %`;
