/**
 * Choosing hyper-parameters by cross-validation within every task.
 *
 * The choice looks at held-out errors of all tasks together: for a private method it is a release
 * that nothing here charges, so whoever uses it must list it under `notCharged`.
 * @module
 */
import { array, integer, object, OptionError } from "../../core/index.js";
import { checkNames, namesOf } from "../../core/known-names.js";
import type { TaskSet, TrainTest } from "../../data/index.js";
import { requireTaskSet } from "../../data/checks/require-task-set.js";
import { checkSeed, type Seed } from "../../data/split/shuffle.js";
import { makeEstimator } from "../methods.js";
import { scorable } from "../fitted/scorable.js";
import type { Scores } from "../fitted/scores.js";
import { checkCandidates, checkShared, type Candidate } from "./candidates.js";

/**
 * The one number of a model's scores that is to be small.
 * @param scores as `model.score(tasks)` gives them.
 * @returns nMSE, or a classifier's log-loss; null where neither is defined, as for a target that is the same in all rows.
 */
export function errorOf(scores: Scores): number | null {
  const { nmse, logLoss } = object("scores", scores);
  return nmse ?? logLoss ?? null;
}

/** What cross-validation is told. */
export interface CrossValidationOptions {
  /** A name that `makeEstimator` takes. */
  readonly method: string;
  /** Options that all candidates share; default none. */
  readonly options?: Candidate;
  /** The options to choose among, at least one; `expandGrid` makes them of a grid. */
  readonly candidates: readonly Candidate[];
  /** At least 2; default 5. */
  readonly folds?: number;
  /** Seed of the folds. */
  readonly seed: Seed;
  /**
   * Take the first candidate, in order of preference, whose error is within one standard error of
   * the least, instead of the least; default false.
   */
  readonly oneStandardError?: boolean;
  /** Stops the fits when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

const NAMES = namesOf<CrossValidationOptions>({
  ...{ method: true, options: true, candidates: true, folds: true, seed: true },
  ...{ oneStandardError: true, signal: true },
});

/** A candidate and its held-out error over the folds. */
export interface CandidateError {
  /** The candidate's options. */
  readonly candidate: Candidate;
  /** Mean over the folds of {@link errorOf}. */
  readonly mean: number;
  /** Standard error of the mean over folds. */
  readonly standardError: number;
}

/** The choice and what it was made from. */
export interface CrossValidation {
  /** The candidate that was chosen. */
  readonly chosen: Candidate;
  /** Every candidate's error, in the order given. */
  readonly errors: readonly CandidateError[];
}

/**
 * Chooses options by k-fold cross-validation within every task. The choice looks at all tasks' rows and is charged to no budget: of a
 * private method it has to be listed as not charged; `selectPrivately` pays for it.
 *
 * There are at most as many folds as the largest task has rows. A fold is skipped where nothing could be
 * scored (labels that occur on one side only).
 *
 * @param tasks the training rows; others must not take part in the choice.
 * @param how   `method`, its fixed `options`, the `candidates` for the others, and how folds are drawn ({@link CrossValidationOptions}).
 * @returns the chosen candidate, and every candidate's error in the order given.
 * @throws TypeError or OptionError naming an argument that is missing, unknown or of another type; RangeError if no
 *   candidate has a defined error (a constant target).
 * @example
 * const candidates = expandGrid({ lambda: [0.1, 1, 10] });
 * const { chosen } = await crossValidate(train, { method: "trace-norm", candidates, seed: "cv" });
 */
export async function crossValidate(
  tasks: TaskSet,
  how: CrossValidationOptions,
): Promise<CrossValidation> {
  requireTaskSet("tasks", tasks);
  checkNames("crossValidate", how, NAMES);
  const { method, options = {}, candidates, seed, signal, ...rest } = how;
  checkShared(options);
  checkCandidates(candidates);
  if (candidates.length === 0) throw new OptionError("candidates: expected at least one, got none");
  checkSeed("seed", seed);
  const { oneStandardError = false } = rest;
  if (typeof oneStandardError !== "boolean") {
    throw new TypeError(`oneStandardError: expected true or false, got ${typeof oneStandardError}`);
  }
  const folds = foldsOf(tasks, integer("folds", rest.folds ?? 5, 2), seed);
  const isClassifier = (options["loss"] ?? "squared") !== "squared";
  const errors: CandidateError[] = [];
  for (const candidate of candidates) {
    const estimator = makeEstimator(method, { ...options, ...candidate });
    const found: number[] = [];
    for (const { train, test } of folds) {
      if (isClassifier && new Set(train.y).size < 2) continue;
      const model = await estimator.fit(train, { signal });
      const known = scorable(model, test).tasks;
      const error = known ? errorOf(model.score(known)) : null;
      if (error !== null) found.push(error);
    }
    if (found.length > 0) errors.push({ candidate, ...meanAndError(found) });
  }
  if (errors.length === 0) {
    throw new RangeError("candidates: expected at least one with a defined held-out error");
  }
  const best = errors.reduce((a, b) => (b.mean < a.mean ? b : a));
  const limit = oneStandardError ? best.mean + best.standardError : best.mean;
  return { chosen: errors.find(({ mean }) => mean <= limit)!.candidate, errors };
}

/** Folds within every task, no more than the largest has rows: others would hold nothing out. */
function foldsOf(tasks: TaskSet, folds: number, seed: Seed): TrainTest[] {
  const most = tasks.taskSizes.reduce((a, b) => Math.max(a, b), 0);
  if (most < 2) throw new RangeError("folds: expected a task of two rows or more to hold one out");
  return tasks.folds(Math.min(folds, most), { seed });
}

/** Mean of n values and its standard error, s / sqrt(n) with the sample's s (n - 1 in its denominator); 0 for a single value. */
export function meanAndError(values: readonly number[]): { mean: number; standardError: number } {
  const n = array("values", values).length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  if (n < 2) return { mean, standardError: 0 };
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, standardError: Math.sqrt(square / (n - 1) / n) };
}
