/**
 * A whole fit as a message: what a worker thread is asked and what it answers.
 * @module
 */
import { MpMtlError } from "../core/index.js";
import { TaskSet, type TaskArrays } from "../data/index.js";
import { makeEstimator, type Scores } from "../learning/index.js";
import { saveModel } from "./save.js";

/** Everything a fit needs, in structured-cloneable form. */
export interface FitJob {
  /** A method's name, for example "mp-low-rank". */
  readonly method: string;
  /** Its options. A job with seeded noise gives the same result in whichever worker it runs. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly train: TaskArrays;
  /** Scored by the fitted model where given. */
  readonly test?: TaskArrays;
}

/** A fitted model, and how good it is. */
export interface FitJobResult {
  /** What `loadModel` reads. */
  readonly model: Uint8Array<ArrayBuffer>;
  readonly test: Scores | null;
}

/** A task set's arrays, to be sent to a worker; they are copied on the way, not taken. */
export function taskArrays(tasks: TaskSet): TaskArrays {
  const { x, y, offsets, names, featureNames, targetName, targetLevels } = tasks;
  return { x, y, offsets, names, featureNames, targetName, targetLevels };
}

/** Runs a job in this thread: what a worker does with what it is sent. */
export async function runFitJob({ method, options, train, test }: FitJob): Promise<FitJobResult> {
  const model = await makeEstimator(method, options).fit(TaskSet.adopt(train));
  return { model: saveModel(model), test: test ? model.score(TaskSet.adopt(test)) : null };
}

/** Request and reply as they cross between threads. */
export interface Request<Job> {
  readonly id: number;
  readonly job: Job;
}
export type Reply<Result> =
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly error: { name: string; code: string; message: string } };

/** Answers one request; an error becomes a reply, so that the worker lives on. */
export async function answer(request: Request<FitJob>): Promise<Reply<FitJobResult>> {
  const { id, job } = request;
  try {
    return { id, result: await runFitJob(job) };
  } catch (error) {
    const { name, message } = error as Error;
    return {
      id,
      error: { name, message, code: error instanceof MpMtlError ? error.code : "ERROR" },
    };
  }
}
