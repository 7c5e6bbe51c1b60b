/**
 * A fit by Newton's method on the mean: dense tasks on one thread or on several, to the same bits; sparse ones on one.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import { fittedModel, modelOf, type FitRecord } from "../../fitted/build-model.js";
import type { FittedModel } from "../../fitted/fitted-model.js";
import type { ConvergenceOptions } from "../../options/common-options.js";
import { fitInBatches } from "../../parallel/fit-in-batches.js";
import { publicSizes } from "../../release/public-sizes.js";
import type { FitOptions } from "../../round/estimator.js";
import { targetsOf } from "../../tasks/targets.js";
import { placeWithinRange } from "../within-range.js";
import { meanBatches, type MeanOptions } from "./dense-half.js";
import { DenseMean } from "./dense-problem.js";
import { sumOfRows } from "./least-norm.js";
import { newtonOnTheMean } from "./newton.js";
import { sparseMean } from "./sparse-problem.js";

/** Whose tasks they are, and what is said of the fit. */
export interface MeanOwner extends Pick<FitRecord, "method" | "guarantee"> {
  readonly options: MeanOptions & ConvergenceOptions;
}

/**
 * Fits all tasks.
 * @param start models to start from, [m, d].
 * @throws DataError if the data does not suit the method; HostError if it fits the memories of no threads there are; whatever
 *   the hooks' signal was aborted with.
 */
export function fitOnTheMean(
  owner: MeanOwner,
  data: TaskSet,
  start: Float64Array,
  hooks: FitOptions,
): Promise<FittedModel> {
  return data.sparse ? fitSparse(owner, data, start, hooks) : fitDense(owner, data, start, hooks);
}

async function fitDense(
  owner: MeanOwner,
  data: TaskSet,
  start: Float64Array,
  hooks: FitOptions,
): Promise<FittedModel> {
  const { method, options } = owner;
  const { loss, lambda } = options;
  const { m, d } = data;
  const { classes } = targetsOf(data, loss);
  const { models, solution, threads } = await fitInBatches(
    { method, options, batches: meanBatches(options), statistics: ["none", "none"] },
    { data, sizes: publicSizes(data), classes, start },
    hooks,
    (half, core) => {
      const { signal } = hooks;
      const isSquared = loss === "squared";
      const problem = new DenseMean({ core, m, d, lambda, isSquared, half, signal });
      return newtonOnTheMean(problem, meanOf(start, m, d), options, hooks);
    },
  );
  return modelOf(data, classes, models, { ...owner, ledger: null, threads, ...solution });
}

async function fitSparse(
  owner: MeanOwner,
  data: TaskSet,
  start: Float64Array,
  hooks: FitOptions,
): Promise<FittedModel> {
  const { options } = owner;
  const placed = placeWithinRange(data, options);
  const mean = meanOf(start, data.m, data.d);
  const problem = sparseMean(placed.tasks, options.lambda, mean);
  const solution = await newtonOnTheMean(problem, mean, options, hooks);
  return fittedModel(data, placed, problem.models(), { ...owner, ledger: null, ...solution });
}

const meanOf = (weights: Float64Array, m: number, d: number) =>
  sumOfRows(weights, m, d).map((value) => value / m);
