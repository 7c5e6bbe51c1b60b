/**
 * Choosing hyper-parameters by cross-validation within every task.
 *
 * The choice looks at held-out errors of all tasks together: for a private method it is a release
 * that nothing here charges, so whoever uses it must list it under `notCharged`.
 * @module
 */
import { array, integer, OptionError } from "../../core/index.js";
import { checkNames, namesOf } from "../../core/messages/known-names.js";
import type { TaskSet, TrainTest } from "../../data/index.js";
import { requireTaskSet } from "../../data/checks/require-task-set.js";
import { checkSeed, type Seed } from "../../data/split/shuffle.js";
import { makeEstimator } from "../methods.js";
import { crossesWhole } from "../parallel/crossing-options.js";
import { checkCandidates, checkShared, type Candidate } from "./candidates.js";
import { foldError, type FoldJob, type FoldPool } from "./fold-error.js";

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
  /**
   * A pool of `openFitPool` or `openWebFitPool`, whose workers make the fits of all candidates and folds at once, with the same
   * result; by default this thread makes them one after the other.
   */
  readonly pool?: FoldPool | undefined;
  /** Called after every fit with how many are made, and of how many. */
  readonly onFit?: ((made: number, fits: number) => void) | undefined;
  /** Stops the fits when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

const NAMES = namesOf<CrossValidationOptions>({
  method: true,
  options: true,
  candidates: true,
  folds: true,
  seed: true,
  oneStandardError: true,
  pool: true,
  onFit: true,
  signal: true,
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
 * scored (labels that occur on one side only). Options of every candidate are checked before the first fit.
 *
 * @param tasks the training rows; others must not take part in the choice.
 * @param how   `method`, its fixed `options`, the `candidates` for the others, and how folds are drawn ({@link CrossValidationOptions}).
 * @returns the chosen candidate, and every candidate's error in the order given.
 * @throws TypeError or OptionError naming an argument that is missing, unknown or of another type; RangeError if no
 *   candidate has a defined error (a constant target); OptionError for a pool where options hold code. Of a fit in a pool that fails,
 *   MpMtlError with its code and message; the others are then ended.
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
  const { method, options = {}, candidates, seed, ...rest } = how;
  checkShared(options);
  checkCandidates(candidates);
  if (candidates.length === 0) throw new OptionError("candidates: expected at least one, got none");
  checkSeed(seed);
  const { oneStandardError = false } = rest;
  if (typeof oneStandardError !== "boolean") {
    throw new TypeError(`oneStandardError: expected true or false, got ${typeof oneStandardError}`);
  }
  const all = foldsOf(tasks, integer("folds", rest.folds ?? 5, 2), seed);
  const isClassifier = (options["loss"] ?? "squared") !== "squared";
  const folds = isClassifier ? all.filter(({ train }) => new Set(train.y).size > 1) : all;
  const given = candidates.map((candidate) => ({ ...options, ...candidate }));
  const fits = rest.pool
    ? await errorsInPool(rest.pool, method, given, folds, rest)
    : await errorsHere(method, given, folds, rest);
  const errors: CandidateError[] = [];
  for (const [c, candidate] of candidates.entries()) {
    const ofFolds = fits.slice(c * folds.length, (c + 1) * folds.length);
    const found = ofFolds.filter((error) => error !== null);
    if (found.length > 0) errors.push({ candidate, ...meanAndError(found) });
  }
  if (errors.length === 0) {
    throw new RangeError("candidates: expected at least one with a defined held-out error");
  }
  const best = errors.reduce((a, b) => (b.mean < a.mean ? b : a));
  const limit = oneStandardError ? best.mean + best.standardError : best.mean;
  return { chosen: errors.find(({ mean }) => mean <= limit)!.candidate, errors };
}

/** What fits of a cross-validation heed. */
type Hooks = Pick<CrossValidationOptions, "signal" | "onFit">;

/** The error of every candidate on every fold, candidate by candidate; null where it is not defined. */
async function errorsHere(
  method: string,
  given: readonly Candidate[],
  folds: readonly TrainTest[],
  { signal, onFit }: Hooks,
): Promise<(number | null)[]> {
  const errors: (number | null)[] = [];
  for (const estimator of given.map((options) => makeEstimator(method, options))) {
    for (const fold of folds) {
      errors.push(await foldError(estimator, fold, signal));
      onFit?.(errors.length, given.length * folds.length);
    }
  }
  return errors;
}

/** The same, by a pool. */
async function errorsInPool(
  pool: FoldPool,
  method: string,
  given: readonly Candidate[],
  folds: readonly TrainTest[],
  { signal, onFit }: Hooks,
): Promise<(number | null)[]> {
  if (typeof pool.run !== "function") {
    throw new TypeError("pool: expected a pool of openFitPool or openWebFitPool");
  }
  for (const options of given) {
    makeEstimator(method, options); // refused here, under the name of its class
    if (crossesWhole(options)) continue;
    throw new OptionError("pool: the options hold code, which stays on its thread; leave it out");
  }
  const rows = folds.map(({ train, test }) => ({ train: train.arrays(), test: test.arrays() }));
  const jobs: FoldJob[] = given.flatMap((options) =>
    rows.map((fold) => ({ kind: "fold", method, options, ...fold })),
  );
  const stops = jobs.map(() => new AbortController());
  // The last first, so that no worker is given a job that is stopped next.
  const stop = (reason: unknown) => {
    for (let k = stops.length; k-- > 0;) stops[k]!.abort(reason);
  };
  const abort = () => stop(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", abort);
  let made = 0;
  try {
    const running = jobs.map(async (job, k) => {
      const error = await pool.run(job, { signal: stops[k]!.signal });
      onFit?.(++made, jobs.length);
      return error;
    });
    return await Promise.all(running);
  } catch (error) {
    stop(error); // the other fits would be for nothing
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
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
