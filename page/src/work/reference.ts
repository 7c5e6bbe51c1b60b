/**
 * What a private fit is compared with: every task alone, and all data in one place.
 * @module
 */
import {
  crossValidate,
  expandGrid,
  makeEstimator,
  type Grid,
} from "../../../src/learning/index.js";
import type { ReferenceOutcome, ReferenceRequest } from "./messages.js";
import { prepareFor } from "./prepare.js";

const FOLDS = 3;
const decades = (...exponents: number[]) => exponents.map((exponent) => 10 ** exponent);

/** Values of lambda to choose from, strongest first. The other methods choose for themselves. */
const GRIDS: Readonly<Record<string, Grid>> = {
  "trace-norm": { lambda: decades(0.5, 0, -0.5, -1, -1.5) },
  "group-sparse": { lambda: decades(0.5, 0, -0.5, -1, -1.5) },
  "mean-regularized": { lambda: decades(-1, -1.5, -2, -2.5, -3, -3.5, -4) },
};

/** Close enough for a figure of two to three digits. */
const TOLERANCE = 1e-3;

/** A non-private fit whose lambda, where it has one, is chosen by cross-validation on the training rows. */
export async function referenceFit({
  data,
  method,
  chosen: known,
}: ReferenceRequest): Promise<ReferenceOutcome> {
  const { train, test } = prepareFor(method, data);
  const grid = GRIDS[method];
  const options = { loss: data.loss, ...(grid ? { tolerance: TOLERANCE } : {}) };
  const tuning = {
    method,
    options,
    candidates: expandGrid(grid ?? {}),
    folds: FOLDS,
    seed: "page",
  };
  const { chosen, errors } = known
    ? { chosen: known, errors: [] }
    : await crossValidate(train, tuning);
  const model = await makeEstimator(method, { ...options, ...chosen }).fit(train);
  const validation = errors.length > 0 ? Math.min(...errors.map(({ mean }) => mean)) : NaN;
  return { method, chosen, validation, scores: model.score(test) };
}
