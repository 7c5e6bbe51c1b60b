/**
 * What a budget can buy at public sizes: the share of the distance from learning alone to learning together without noise
 * that the mixed model is expected to close, from simulations (`npm run bench:shares` prints the tables anew).
 * @module
 */
import { object } from "../../core/checks.js";
import { log } from "../../core/elementary.js";
import type { MethodFacts } from "../options/method.js";
import { classMu } from "../families/mixed/labels/classes/classes-plan.js";

/** Signals, ascending, and the share at each. */
type Table = readonly (readonly [signal: number, share: number])[];

/** Of numbers: below the medians over simulated tables of 3 to 300 tasks and 2 to 12 features, where real ones were harder. */
const NUMBERS: Table = [
  [0.3, 0],
  [1, 0.25],
  [3, 0.65],
  [10, 0.85],
  [30, 0.95],
  [100, 0.98],
];

/** Of two classes: no more than the medians of simulated tables, nor of 71 real ones, which reach more below a signal of 3. */
const TWO_CLASSES: Table = [
  [1, 0],
  [3, 0.08],
  [6, 0.32],
  [9, 0.48],
  [15, 0.63],
  [25, 0.75],
  [60, 0.86],
  [150, 0.9],
];

/** Of several, by simulations and 15 real tables with three. Below 5 simulated tables lose, real ones gain a little. */
const SEVERAL_CLASSES: Table = [
  [1, 0],
  [5, 0.03],
  [10, 0.33],
  [14, 0.45],
  [20, 0.55],
  [35, 0.67],
  [90, 0.8],
];

/** Rows of a task, in the mean, from which more of them do not make labels tell more. */
const ENOUGH_ROWS = 6;

/** Where nothing is known of them: a quarter of the real tables had fewer. */
export const UNKNOWN_ROWS = 4;

/** The public sizes and the budget from which a share is expected. */
export interface ShareFacts {
  /** The budget as Gaussian differential privacy: mu > 0. */
  readonly mu: number;
  /** Number of tasks. */
  readonly m: number;
  /** Number of features, without the constant. */
  readonly d: number;
  /** Of the target: 2 or more; default a target of numbers. More than two have a model each, against the rest, with its part of the budget. */
  readonly classes?: number | undefined;
  /** Rows of a task, in the mean, of which labels tell less; default 4. */
  readonly rowsPerTask?: number | undefined;
}

/**
 * How far what tasks have in common stands out of the noise that hides one. Of numbers mu m / (d + 1), tasks to a parameter. Of
 * labels mu m / sqrt(d + 1), with fewer than six rows a task that part of it: that ranked simulated and real tables better.
 */
export function shareSignal({ mu, m, d, classes = 0, rowsPerTask = UNKNOWN_ROWS }: ShareFacts) {
  if (classes < 2) return (mu * m) / (d + 1);
  const own = classes > 2 ? classMu(mu, classes) : mu;
  return ((own * m) / Math.sqrt(d + 1)) * Math.min(1, rowsPerTask / ENOUGH_ROWS);
}

/** Of a target, as shares have them; none of numbers. */
export const classesIn = ({ loss, classes }: Pick<MethodFacts, "loss" | "classes">): number =>
  loss === "logistic" ? 2 : loss === "softmax" ? classes : 0;

/**
 * The share of the distance from learning alone to learning together without noise that the mixed model is expected to close:
 * a median over simulated tables (of labels also real ones), so half of all tables reach less.
 *
 * @param facts public sizes and mu; nothing of the data.
 * @returns from 0, nothing, to 1, all of it; read off a measured table, between its rows on a logarithmic scale.
 */
export function expectedShare(facts: ShareFacts): number {
  const { m, classes = 0 } = object("facts", facts);
  const table = classes < 2 ? NUMBERS : classes === 2 ? TWO_CLASSES : SEVERAL_CLASSES;
  const signal = shareSignal(facts);
  const above = table.findIndex(([at]) => at > signal);
  if (m < 2 || above === 0 || Number.isNaN(signal)) return 0;
  if (above < 0) return table.at(-1)![1];
  const [[from, low], [to, high]] = [table[above - 1]!, table[above]!];
  return low + ((high - low) * log(signal / from)) / log(to / from);
}
