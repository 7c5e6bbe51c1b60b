/**
 * A whole fit as a message: what a worker thread is asked and what it answers.
 * @module
 */
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
  return tasks.arrays();
}

/** Runs a job in this thread: what a worker does with what it is sent. */
export async function runFitJob({ method, options, train, test }: FitJob): Promise<FitJobResult> {
  const model = await makeEstimator(method, options).fit(TaskSet.adopt(train));
  return { model: saveModel(model), test: test ? model.score(TaskSet.adopt(test)) : null };
}
