/**
 * A fit by Newton's method on the mean: its tasks on one thread or on several, to the same bits.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import { modelOf, type FitRecord } from "../../fitted/build-model.js";
import type { FittedModel } from "../../fitted/fitted-model.js";
import type { ConvergenceOptions } from "../../options/common-options.js";
import { fitInBatches } from "../../parallel/fit-in-batches.js";
import { publicSizes } from "../../release/public-sizes.js";
import type { FitOptions } from "../../round/estimator.js";
import { targetsOf } from "../../tasks/targets.js";
import { meanBatches, type MeanOptions } from "./batches.js";
import { DenseMean } from "./dense/dense-problem.js";
import { sumOfRows } from "./least-norm.js";
import { newtonOnTheMean } from "./newton.js";
import type { MeanProblem } from "./problem.js";
import { SparseAsked } from "./sparse/sparse-asked.js";
import { SparseMean } from "./sparse/sparse-problem.js";

/** Whose tasks they are, and what is said of the fit. */
export interface MeanOwner extends Pick<FitRecord, "method" | "guarantee"> {
  readonly options: MeanOptions & ConvergenceOptions;
}

/**
 * Fits all tasks.
 * @param start models to start from, [m, d]; null stands for zeros.
 * @throws DataError if the data does not suit the method; HostError if it fits the memories of no threads there are; whatever
 *   the hooks' signal was aborted with.
 */
export async function fitOnTheMean(
  owner: MeanOwner,
  data: TaskSet,
  start: Float64Array | null,
  hooks: FitOptions,
): Promise<FittedModel> {
  const { method, options } = owner;
  const { loss, lambda } = options;
  const { m, d, sparse } = data;
  const { classes } = targetsOf(data, loss);
  const mean = start ? sumOfRows(start, m, d).map((value) => value / m) : new Float64Array(d);
  const batches = meanBatches(options, sparse?.values.length);
  const { models, solution, threads } = await fitInBatches(
    { method, options, batches, statistics: ["none", "none"] },
    { data, sizes: publicSizes(data), classes, start: sparse ? null : start },
    hooks,
    async (half, core) => {
      const asked = { core, m, d, lambda, half, signal: hooks.signal };
      const problem: MeanProblem = sparse
        ? new SparseMean(new SparseAsked(asked), mean)
        : new DenseMean({ ...asked, isSquared: loss === "squared" });
      const found = await newtonOnTheMean(problem, mean, options, hooks);
      await problem.close?.();
      return found;
    },
  );
  return modelOf(data, classes, models, { ...owner, ledger: null, threads, ...solution });
}
