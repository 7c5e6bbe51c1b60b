/**
 * Options of `account`.
 * @module
 */
import { budgetOptions } from "../../learning/options/private-options.js";
import { aSchedule } from "../../learning/options/schedule.js";
import { LOSS_NAMES } from "../../learning/tasks/losses.js";
import { OptionError } from "../../core/errors.js";
import {
  MECHANISM_NAMES,
  MOST_ROUNDS,
  resolveDelta,
  type LedgerUnit,
  type MechanismName,
} from "../../privacy/index.js";
import type { Values } from "../options/command.js";
import { choice, integer, list, number, text, yesNo } from "../options/values.js";

/** The accountants that `--accountant` may name. */
export const ACCOUNTANTS = ["kov", "exact", "gdp", "rdp", "pld", "selection"] as const;

export const accountOptions = {
  events: {
    value: "FILE,…",
    help:
      'JSON list of events, each perhaps with a "count"; or a ledger, also that in the model-card.json of a model or the ' +
      "run.json of a curator. Of several, what they cost together: fits on the same data. Instead of --mechanism or sizes.",
    schema: list("file names separated by commas"),
  },
  mechanism: {
    value: "NAME",
    help: `Noise of equal or scheduled rounds: ${MECHANISM_NAMES.join(", ")}.`,
    schema: choice(...(MECHANISM_NAMES as [MechanismName, ...MechanismName[]])),
  },
  rounds: {
    value: "T",
    help: "Number of rounds; with --method, what that has if it is not given.",
    schema: integer({ min: 1, max: MOST_ROUNDS }),
    shownDefault: "1",
  },
  noise: {
    value: "X",
    help: "Noise scale of every round: sigma, the Wishart's v, or the Laplace scale. With --delta it gives epsilon, with --epsilon delta; without it both are needed and give the noise.",
    schema: number({ above: 0 }),
  },
  epsilon: { value: "E", help: "Total epsilon.", schema: number({ above: 0 }) },
  delta: {
    value: "D",
    help:
      "Total delta; auto and papers, as of a fit, by the number of --tasks. With --events of one ledger its own is the default, by " +
      "sizes auto.",
    schema: budgetOptions.delta,
  },
  accountant: {
    value: "NAME",
    help: `${ACCOUNTANTS.join(", ")}, or auto, the tightest that is valid.`,
    schema: choice("auto", ...ACCOUNTANTS),
    default: "auto",
  },
  schedule: {
    value: "NAME",
    help: "Budget over rounds: constant (default), polynomial:0.4, geometric:0.9.",
    schema: aSchedule,
  },
  adjacency: {
    value: "NAME",
    help: budgetOptions.adjacency.help,
    schema: budgetOptions.adjacency,
    default: "replace",
  },
  statistic: {
    value: "NAME",
    help: "What is released; default: what the mechanism is for.",
    schema: choice("covariance", "diagonal", "task-covariance", "augmented-covariance", "vector"),
  },
  tasks: {
    value: "M",
    help: "Tasks. With --features and --epsilon alone: what the budget is expected to buy. Matters to task-covariance.",
    schema: integer({ min: 1 }),
    shownDefault: "2",
  },
  features: {
    value: "D",
    help: "Features, without the constant. Matters to wishart.",
    schema: integer({ min: 1 }),
    shownDefault: "1",
  },
  rows: {
    value: "N",
    help: "Rows of a task, for what the budget is expected to buy; of labels fewer than 6 tell less, and 4 are reckoned with where it is not said.",
    schema: integer({ min: 1 }),
  },
  unit: {
    value: "NAME",
    help: "What the budget would hide: task; record or both, by --method, with --tasks, --features, --rows and --epsilon.",
    schema: choice("task", "record", "both"),
    shownDefault: "task",
  },
  method: {
    value: "NAME",
    help: "With --unit record or both: by which method, of those that hide records and run federated.",
    schema: text("a method"),
    shownDefault: "mp-mixed",
  },
  recordClip: {
    value: "C",
    help: "With --unit both and a method that has it: bound on the norm of one row's gradient, beside --clip of a task's.",
    schema: number({ above: 0 }),
    shownDefault: "1",
  },
  ownModel: {
    value: "NAME",
    help: "With --unit record and a method that has it: what a task's own model is made of, its rows (exact) or noisy releases, which may be given away (noisy).",
    schema: choice("exact", "noisy"),
    shownDefault: "exact",
  },
  localSteps: {
    value: "E",
    help: "With --own-model noisy and pmtl: noisy steps of every task to its own model.",
    schema: integer({ min: 1, max: MOST_ROUNDS }),
    shownDefault: "10",
  },
  rowsPerPerson: {
    value: "N",
    help: "With --unit record or both: most rows of one person in a task.",
    schema: integer({ min: 1 }),
    default: 1,
  },
  tasksPerPerson: {
    value: "N",
    help: "With --unit record or both: most tasks with rows of one person.",
    schema: integer({ min: 1 }),
    default: 1,
  },
  loss: {
    value: "NAME",
    help: "What is to be predicted, for what the budget is expected to buy and what auto would take.",
    schema: choice(...LOSS_NAMES),
    default: "squared",
  },
  classes: {
    value: "C",
    help: "With --loss softmax: classes of the target, which share the budget.",
    schema: integer({ min: 2 }),
    shownDefault: "3",
  },
  declared: {
    value: "yes|no",
    help: "Whether ranges of all columns are declared, for the same: without, a part of the budget goes to learn how large they are.",
    schema: yesNo(),
    default: true,
  },
  clip: {
    value: "K",
    help: "Bound on every model's norm.",
    schema: number({ above: 0 }),
    default: 1,
  },
  samplingRate: {
    value: "Q",
    help: "gaussian-mean: each task takes part with this probability (zero-out only); with --method, each row of a batch.",
    schema: number({ above: 0, max: 1 }),
  },
  picks: {
    value: "K",
    help: "gaussian-mean: each task takes part in K of the rounds, one of each of K blocks, drawn in secret (random allocation; zero-out only).",
    schema: integer({ min: 1 }),
  },
  degreesOfFreedom: {
    value: "NU",
    help: "wishart: default features + 1, the papers' choice, which is not private.",
    schema: number({ above: 0 }),
  },
  discrete: {
    help: "Exact noise on a grid; every mechanism but the one-sided Wishart ones.",
    schema: yesNo(),
    default: false,
  },
  dpEvent: {
    value: "FILE",
    help:
      "Where to write the releases as a DpEvent of Google's dp_accounting (JSON, the adjacency added); --events reads " +
      "such files.",
    schema: text("a file name"),
  },
  plot: {
    value: "FILE",
    help: "Write epsilon over the rounds as SVG.",
    schema: text("a file name"),
  },
} as const;

/** Their checked values. */
export type AccountValues = Values<typeof accountOptions>;

/** The same, with a delta that is a number. */
export type SettledValues = Omit<AccountValues, "delta"> & { readonly delta: number | undefined };

/**
 * The delta of releases that are given, as a number.
 * @param unit what the releases hide; undefined where nothing says so.
 * @throws OptionError for a word without the number that it is a function of.
 */
export function settledDelta(values: AccountValues, unit: LedgerUnit | undefined): SettledValues {
  const { delta, tasks } = values;
  if (delta === undefined || typeof delta === "number") return { ...values, delta };
  if (unit !== undefined && unit !== "task") {
    throw new OptionError(
      `--delta ${delta}: goes by the number of tasks, and these releases hide one ${unit}; expected a number.`,
    );
  }
  if (tasks === undefined) {
    throw new OptionError(
      `--delta ${delta}: goes by the number of tasks; say how many (--tasks), or expected a number.`,
    );
  }
  return { ...values, delta: resolveDelta(delta, tasks) };
}
