/**
 * Which figure of accuracy is shown for which kind of target, and how it is to be read.
 * @module
 */
import type { LossName, Scores } from "../../../src/learning/index.js";
import { short } from "./numbers.js";

/** A figure of accuracy. */
export interface Metric {
  readonly name: string;
  readonly short: string;
  readonly lowerIsBetter: boolean;
  reading(scores: Scores): string;
  of(scores: Scores): number;
}

const METRICS: Readonly<Record<LossName, Metric>> = {
  squared: {
    name: "test error (nMSE, lower is better)",
    short: "error",
    lowerIsBetter: true,
    reading: () => "0 is perfect; 1 is no better than always guessing the average.",
    of: ({ nmse }) => nmse ?? NaN,
  },
  logistic: {
    name: "test aAUC (higher is better)",
    short: "aAUC",
    lowerIsBetter: false,
    reading: () =>
      "the chance that a yes is ranked above a no, averaged over tasks: 1 is perfect; 0.5 is tossing a coin.",
    of: ({ auc }) => auc ?? NaN,
  },
  softmax: {
    name: "test accuracy (higher is better)",
    short: "accuracy",
    lowerIsBetter: false,
    reading: ({ guessing }) =>
      "the share of right answers, averaged over tasks" +
      (guessing?.accuracy == null
        ? "."
        : `; always giving the most frequent answer reaches ${short(guessing.accuracy)}.`),
    of: ({ accuracy }) => accuracy ?? NaN,
  },
};

/** The figure that goes with a loss. */
export function metricOf(loss: LossName): Metric {
  return METRICS[loss];
}

/** Names of the non-private methods, in plain words. */
export const REFERENCE_WORDS: Readonly<Record<string, string>> = {
  "mixed-model": "mixed model",
  pooled: "one model for all",
  "trace-norm": "low rank",
  "group-sparse": "few features",
  "mean-regularized": "near their mean",
};
