/**
 * A fit by Newton's method on the mean: dense tasks on one thread or on several, to the same bits; sparse ones on one.
 * @module
 */
import { closeCore, openCore } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import { fittedModel, modelOf, type FitRecord } from "../../fitted/build-model.js";
import type { FittedModel } from "../../fitted/fitted-model.js";
import type { ConvergenceOptions } from "../../options/common-options.js";
import { spreadTasks } from "../../parallel/spread-tasks.js";
import { checkedThreads } from "../../parallel/threads.js";
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

/** What is asked of all tasks: nothing is made of it but by the method itself. */
const STAGES = [0, 1].map(() => ({
  ...{ statistic: "none" as const, sampling: { kind: "all" } as const },
}));

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
  const core = openCore();
  const { classes } = targetsOf(data, loss);
  const batches = meanBatches(options);
  const positions = Array.from({ length: m }, (_, i) => i);
  const context = { core, data, sizes: publicSizes(data), positions, classes, start };
  const { signal, workers, threads: asked } = hooks;
  const { half, threads } = await spreadTasks(
    { method, options, batches, stages: STAGES },
    context,
    { threads: checkedThreads(asked), workers, signal, outputs: 1, isObserved: false },
  );
  const tasks = half ?? batches.place(context);
  try {
    const isSquared = loss === "squared";
    const problem = new DenseMean({ core, m, d, lambda, isSquared, half: tasks, signal });
    const solution = await newtonOnTheMean(problem, meanOf(start, m, d), options, hooks);
    await tasks.finish?.(signal);
    const models = tasks.models();
    // Of a fit that failed something may still be at work.
    closeCore(core);
    return modelOf(data, classes, models, { ...owner, ledger: null, threads, ...solution });
  } finally {
    tasks.close();
  }
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
