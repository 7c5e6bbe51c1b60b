/**
 * The metrics as data: what evaluations, their files and reports show of them, and in which order.
 * @module
 */
import type { Scores } from "./scores.js";

/** A metric. */
export interface MetricFacts {
  readonly name: Exclude<keyof Scores, "tasksLeftOut" | "guessing">;
  /** What readers know it as. */
  readonly title: string;
  readonly better: "lower" | "higher";
  /** Whether its values are positive and mean something by their ratio, so that a logarithmic axis serves. */
  readonly ratio: boolean;
}

/** All of them, in the order in which they are shown. */
export const METRICS: readonly MetricFacts[] = [
  { name: "nmse", title: "nMSE", better: "lower", ratio: true },
  { name: "nmsePerTask", title: "nMSE per task", better: "lower", ratio: true },
  { name: "auc", title: "aAUC", better: "higher", ratio: false },
  { name: "accuracy", title: "accuracy", better: "higher", ratio: false },
  { name: "logLoss", title: "log-loss", better: "lower", ratio: false },
];
