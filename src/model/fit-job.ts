/**
 * A whole fit as a message: what a worker thread is asked and what it answers.
 * @module
 */
import { requireTaskSet } from "../data/checks/require-task-set.js";
import { object } from "../core/checks.js";
import { TaskSet, type TaskArrays } from "../data/index.js";
import { makeEstimator, type FitOptions, type FoldJob, type Scores } from "../learning/index.js";
import {
  packArrays,
  unpackArrays,
  type CrossingArrays,
} from "../learning/parallel/crossing-arrays.js";
import { runFoldJob } from "../learning/tuning/fold-error.js";
import type { TellProgress } from "./answer-jobs.js";
import { pacedRounds } from "./paced-rounds.js";
import { saveModel } from "./save.js";
import type { Packed } from "./worker-pool.js";

/** Everything a fit needs, in structured-cloneable form. */
export interface FitJob {
  /** A method's name, for example "mp-low-rank". */
  readonly method: string;
  /** Its options. A job with seeded noise gives the same result in whichever worker it runs. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The tasks to fit. */
  readonly train: TaskArrays;
  /** Scored by the fitted model where given. */
  readonly test?: TaskArrays;
}

/** A fitted model, and how good it is. */
export interface FitJobResult {
  /** What `loadModel` reads. */
  readonly model: Uint8Array<ArrayBuffer>;
  /** Scores on the job's `test`; null where there was none. */
  readonly test: Scores | null;
}

/** A task set's arrays, to be sent to a worker; they are copied on the way, not taken. */
export function taskArrays(tasks: TaskSet): TaskArrays {
  requireTaskSet("tasks", tasks);
  return tasks.arrays();
}

/** A job as it crosses: its arrays are no views, see `crossing-arrays.ts`. */
export type CrossingFitJob = Omit<FitJob, "train" | "test"> & {
  /** Of one whose error alone is wanted. */
  readonly kind?: FoldJob["kind"];
  readonly train: CrossingArrays;
  readonly test?: CrossingArrays;
};

/** A job for a pool to send; the caller's arrays stay the caller's. */
export function packFitJob({ train, test, ...rest }: FitJob | FoldJob): Packed<CrossingFitJob> {
  const rows = packArrays(train);
  if (!test) return { message: { ...rest, train: rows.arrays }, transfer: rows.transfer };
  const held = packArrays(test);
  return {
    message: { ...rest, train: rows.arrays, test: held.arrays },
    transfer: [...rows.transfer, ...held.transfer],
  };
}

/** Runs a job as it arrives in a worker. */
export async function runCrossingFitJob(
  job: CrossingFitJob,
  tell?: TellProgress,
): Promise<FitJobResult | number | null> {
  const { kind, train, test, ...rest } = job;
  const onRound = tell && pacedRounds(tell);
  const fit = { ...rest, train: unpackArrays(train) };
  if (!test) return fitted(fit, onRound);
  const judged = { ...fit, test: unpackArrays(test) };
  return kind ? runFoldJob({ kind, ...judged }) : fitted(judged, onRound);
}

/**
 * Runs a job in this thread, as a worker does.
 * @param job method, options and rows.
 * @returns the model as the bytes of `saveModel`, and its scores on the test rows, if the job has any.
 * @throws what `fit` throws.
 */
export async function runFitJob(job: FitJob): Promise<FitJobResult> {
  return fitted(object("job", job));
}

async function fitted(
  { method, options, train, test }: FitJob,
  onRound?: FitOptions["onRound"],
): Promise<FitJobResult> {
  const model = await makeEstimator(method, options).fit(TaskSet.adopt(train), { onRound });
  return { model: saveModel(model), test: test ? model.score(TaskSet.adopt(test)) : null };
}
