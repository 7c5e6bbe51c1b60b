/**
 * What a budget can buy at public sizes: the share of the distance from learning alone to learning together without noise
 * that the mixed model is expected to close, from simulations (`npm run bench:shares` prints the table anew).
 * @module
 */
import { object } from "../../core/checks.js";
import { log } from "../../core/elementary.js";
import { classMu } from "../families/mixed/classes-plan.js";

/**
 * mu m / (d + 1), the number of tasks to a parameter in units of the noise that hides one, and the share: below the medians
 * over simulated tables of 3 to 300 tasks and 2 to 12 features, where real ones were harder.
 */
const TABLE: readonly (readonly [number, number])[] = [
  [0.3, 0],
  [1, 0.25],
  [3, 0.65],
  [10, 0.85],
  [30, 0.95],
  [100, 0.98],
];

/** What a share is expected of. */
export interface ShareFacts {
  readonly mu: number;
  readonly m: number;
  readonly d: number;
  /** Of the target. More than two have a model each, against the rest, with its part of the budget; default none. */
  readonly classes?: number | undefined;
}

/** Expected share, 0 to 1; between the table's rows on a logarithmic scale. */
export function expectedShare(facts: ShareFacts): number {
  const { mu, m, d, classes = 0 } = object("facts", facts);
  const own = classes > 2 ? classMu(mu, classes) : mu;
  const signal = (own * m) / (d + 1);
  const above = TABLE.findIndex(([at]) => at > signal);
  if (m < 2 || above === 0 || Number.isNaN(signal)) return 0;
  if (above < 0) return TABLE.at(-1)![1];
  const [[from, low], [to, high]] = [TABLE[above - 1]!, TABLE[above]!];
  return low + ((high - low) * log(signal / from)) / log(to / from);
}
