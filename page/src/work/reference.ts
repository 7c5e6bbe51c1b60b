/**
 * What a private fit is compared with: every task alone, and all data in one place.
 * @module
 */
import { TaskSet } from "../../../src/data/index.js";
import {
  crossValidate,
  expandGrid,
  makeEstimator,
  type Grid,
} from "../../../src/learning/index.js";
import type { LoadedData, ReferenceOutcome } from "./messages.js";

const FOLDS = 3;
const decades = (...exponents: number[]) => exponents.map((exponent) => 10 ** exponent);

/** Values of lambda to choose from, strongest first. */
const GRIDS: Readonly<Record<string, Grid>> = {
  "single-task": { lambda: decades(0, -0.5, -1, -1.5, -2, -2.5, -3, -3.5, -4) },
  "trace-norm": { lambda: decades(0.5, 0, -0.5, -1, -1.5) },
  "group-sparse": { lambda: decades(0.5, 0, -0.5, -1, -1.5) },
  "mean-regularized": { lambda: decades(-1, -1.5, -2, -2.5, -3, -3.5, -4) },
};

/** Close enough for a figure of two to three digits. */
const TOLERANCE = 1e-3;

/** A non-private fit whose lambda is chosen by cross-validation on the training rows. */
export async function referenceFit(job: {
  data: LoadedData;
  method: string;
}): Promise<ReferenceOutcome> {
  const { data, method } = job;
  const train = TaskSet.adopt(data.train);
  const options = {
    loss: data.loss,
    intercept: data.intercept,
    ...(method === "single-task" ? {} : { tolerance: TOLERANCE }),
  };
  const candidates = expandGrid(GRIDS[method] ?? {});
  const tuning = { method, options, candidates, folds: FOLDS, seed: "page" };
  const { chosen, errors } = await crossValidate(train, tuning);
  const model = await makeEstimator(method, { ...options, ...chosen }).fit(train);
  return {
    method,
    validation: Math.min(...errors.map(({ mean }) => mean)),
    scores: model.score(TaskSet.adopt(data.test)),
  };
}
