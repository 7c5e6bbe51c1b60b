/**
 * The flags of `evaluate`.
 * @module
 */
import { METHOD_NAMES } from "../../../learning/index.js";
import { AUTO } from "../../../learning/methods.js";
import { budgetOptions } from "../../../learning/options/private-options.js";
import { LOSS_NAMES } from "../../../learning/tasks/losses.js";
import type { Values } from "../../options/command.js";
import { dataOptions } from "../../tables/data-options.js";
import { normalizeOption } from "../../tables/normalize.js";
import { choice, integer, list, number, numbers, text, yesNo } from "../../options/values.js";
import { comparedUnasked, type ComparedFacts } from "./compared.js";
import { REPETITIONS_HELP, repetitionsText } from "../../tuning/repetitions.js";
import { sweepText } from "./sweep.js";
import { TUNINGS } from "./tuning.js";

const { data, ...tableOptions } = dataOptions;
const { required: _data, ...dataOption } = data;

/** For the help: what is compared where nothing is named. */
const usual = (facts: Partial<ComparedFacts>) =>
  comparedUnasked({ loss: "squared", sparse: false, simulated: false, ...facts }).join(", ");

export const evaluateOptions = {
  data: dataOption,
  ...tableOptions,
  simulate: {
    value: "PATTERN",
    help: "Instead of --data: the papers' low-rank or group-sparse data, drawn anew per replicate.",
    schema: choice("low-rank", "group-sparse"),
  },
  tasks: { value: "M", help: "--simulate: number of tasks.", schema: integer({ min: 1 }) },
  methods: {
    value: "A,B",
    help:
      `Methods to compare: ${AUTO}, ${METHOD_NAMES.join(", ")}. Default ${usual({})}; for softmax ` +
      `${usual({ loss: "softmax" })}; of sparse rows ${usual({ sparse: true })}; with --simulate ${usual({ simulated: true })}.`,
    schema: list("method names separated by commas"),
  },
  own: {
    value: "FILE,FILE",
    help:
      "Methods of your own beside them, on the same splits: modules with a default export { name, fit }. Nothing is known " +
      "of their privacy. Only run files that you trust.",
    schema: list("file names separated by commas"),
  },
  epsilon: {
    value: "X,Y",
    help: "Budgets of the private methods.",
    schema: numbers({ above: 0 }),
    default: [0.1, 0.3, 1, 3, 10],
  },
  sweep: {
    value: "WHAT:X,Y",
    help:
      "Also vary tasks:40,80,160 (a simulation's, or so many of the table's), exponent:-1,0,0.4 or " +
      "ratio:0.9,1,1.1 (the budget over rounds: t^exponent, ratio^-t).",
    schema: sweepText(),
  },
  replicates: {
    value: "R",
    help: "Splits, or simulations.",
    schema: integer({ min: 1 }),
    default: 5,
  },
  trainFraction: {
    value: "F",
    help: "Fraction of each task's rows to train on, of a table; the papers' is 0.3.",
    schema: number({ above: 0, below: 1 }),
    default: 0.7,
  },
  loss: {
    value: "NAME",
    help: "squared for numbers, logistic for two values, softmax for several labels; auto: by the target.",
    schema: choice("auto", ...LOSS_NAMES),
    default: "auto",
  },
  delta: {
    value: "X",
    help: "delta of all budgets; auto: 1e-5 or 1/m^2 for m tasks, the smaller; papers: 1/(m ln m); 0: pure eps-DP.",
    schema: budgetOptions.delta,
    default: "auto",
  },
  adjacency: {
    value: "replace|zero-out",
    help: budgetOptions.adjacency.help,
    schema: budgetOptions.adjacency,
    default: "replace",
  },
  normalize: normalizeOption,
  tune: {
    value: TUNINGS.join("|"),
    help:
      "cv: the documented grid, random: --trials draws from the documented ranges, by cross-validation on " +
      "the training rows, not charged to the budget, which the result says; private: candidates chosen " +
      "under the budget, the guarantee includes it; none: each method's defaults and own rules.",
    schema: choice(...TUNINGS),
    default: "cv",
  },
  trials: {
    value: "N",
    help: "--tune random: how many candidates are drawn, default 20; --tune private: draws instead of the grid.",
    schema: integer({ min: 1 }),
  },
  repetitions: {
    value: "LAW",
    help: REPETITIONS_HELP,
    schema: repetitionsText(),
    default: "auto",
  },
  scoreShare: {
    value: "X",
    help: "--tune private: share of a run's budget for its noisy score.",
    schema: number({ above: 0, below: 1 }),
    default: 0.15,
  },
  folds: { value: "K", help: "Folds within every task.", schema: integer({ min: 2 }), default: 5 },
  oneStandardError: {
    help: "--tune cv, random: the strongest penalty within one standard error of the best.",
    schema: yesNo(),
    default: false,
  },
  settings: {
    value: "FILE",
    help:
      'JSON by method: { "mp-low-rank": { "options": { "clip": 20 }, "grid": { "lambda": [3, 1] } } }; ' +
      'a range is { "from": 10, "to": 0.01, "points": 4 }.',
    schema: text("a file name"),
  },
  seed: { value: "S", help: "Seed of splits and noise.", schema: text("a seed"), default: "0" },
  workers: {
    value: "N",
    help: "Threads; default the number of cores. The results do not depend on it.",
    schema: integer({ min: 1 }),
  },
  model: {
    value: "DIR",
    help:
      "Instead of comparing methods: how good the model that fit --out wrote there is on --data, tasks that are new " +
      "to it among them, and how many targets its intervals hold.",
    schema: text("a directory name"),
  },
  unseen: {
    value: "WORD",
    help: "--model: as-fitted or zeros, as of predict; as-fitted where it is left out.",
    schema: choice("as-fitted", "zeros"),
  },
  out: {
    value: "DIR",
    help:
      "Where results.jsonl and summary.json go; the same command goes on where it stopped. Needed unless --model is " +
      "given.",
    schema: text("a directory name"),
  },
} as const;

/** Their checked values. */
export type EvaluateValues = Values<typeof evaluateOptions>;
