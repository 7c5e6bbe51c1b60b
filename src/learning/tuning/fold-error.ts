/**
 * One fit of a cross-validation, judged on the rows that it did not see: in this thread, or as a job for a worker.
 * @module
 */
import { TaskSet, type TaskArrays, type TrainTest } from "../../data/index.js";
import { scorable } from "../fitted/scores/scorable.js";
import { makeEstimator } from "../methods.js";
import type { Estimator } from "../round/estimator.js";
import type { Candidate } from "./candidates.js";
import { errorOf } from "./error-of.js";

/** A fit and the rows to judge it on, in structured-cloneable form. */
export interface FoldJob {
  readonly kind: "fold";
  /** A name that `makeEstimator` takes. */
  readonly method: string;
  /** Its options. */
  readonly options: Candidate;
  /** The tasks to fit. */
  readonly train: TaskArrays;
  /** The rows that are held out. */
  readonly test: TaskArrays;
}

/** Who makes the fits of a cross-validation on other threads: a pool of `openFitPool` or `openWebFitPool`. */
export interface FoldPool {
  /** The error of a job on its held-out rows; null where it is not defined. */
  run(job: FoldJob, options?: { signal?: AbortSignal }): Promise<number | null>;
}

/** {@link errorOf} of a fit on the held-out rows that can be scored; null where there are none, or the error is not defined. */
export async function foldError(
  estimator: Estimator,
  { train, test }: TrainTest,
  signal?: AbortSignal,
): Promise<number | null> {
  const model = await estimator.fit(train, { signal });
  const known = scorable(model, test).tasks;
  return known ? errorOf(model.score(known)) : null;
}

/** The same of a job, as a worker does it. */
export function runFoldJob({ method, options, train, test }: FoldJob): Promise<number | null> {
  const rows = { train: TaskSet.adopt(train), test: TaskSet.adopt(test) };
  return foldError(makeEstimator(method, options), rows);
}
