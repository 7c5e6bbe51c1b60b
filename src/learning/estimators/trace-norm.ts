/**
 * Non-private low-rank multi-task learning.
 * @module
 */
import { anyRows } from "../options/rows-taken.js";
import type { TaskSet } from "../../data/index.js";
import { fitPenalized } from "../convex/penalized.js";
import { jointBatches } from "../convex/joint-batches.js";
import { traceNormPenalty } from "../convex/penalties/trace-norm.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import {
  commonOptions,
  convergenceOptions,
  penaltyWeight,
  type ConvergenceOptions,
} from "../options/common-options.js";
import { logRange, type MethodDescriptor } from "../options/method.js";
import type { OptionsOf } from "../options/option.js";
import type { FitOptions } from "../round/estimator.js";
import type { CommonOptions } from "../tasks/common-options.js";
import { ConfiguredEstimator } from "../options/configured-estimator.js";

const own = {
  /** Weight of the trace norm, > 0; default 0.1. */
  lambda: penaltyWeight,
};

/** Options of {@link TraceNorm}. */
export interface TraceNormOptions
  extends CommonOptions, ConvergenceOptions, OptionsOf<typeof own> {}

const penaltiesOf = ({ lambda }: TraceNormOptions) => ({ shared: traceNormPenalty(lambda) });

export const traceNorm: MethodDescriptor<TraceNormOptions> = {
  name: "trace-norm",
  title: "Low-rank learning, not private",
  recommendedFor: "one owner holds all data, and tasks share directions",
  options: { ...commonOptions, ...convergenceOptions, ...own },
  releases: "everything, without noise",
  privacy: null,
  ranges: { lambda: logRange(10, 1e-3, 9) },
  compared: ["squared", "logistic"],
  simulationsOnly: true,
  takes: anyRows,
  batches: (options) => jointBatches({ ...penaltiesOf(options), options }),
  make: (options) => new TraceNorm(options),
};

/**
 * min_W sum_i L_i(w_i) + lambda ||W||_*, run until the duality gap certifies the solution.
 *
 * The rounds of `MpLowRank` without noise, with exact local steps (Douglas-Rachford), in a small subspace of features where
 * these are many; on sparse rows accelerated proximal gradient steps with restarts.
 * Every task's model depends on every other task's data, unprotected.
 *
 * @see Ji and Ye (2009), "An accelerated gradient method for trace norm minimization".
 * @example const model = await new TraceNorm({ lambda: 0.1 }).fit(train);
 */
export class TraceNorm extends ConfiguredEstimator<TraceNormOptions> {
  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<TraceNormOptions>) {
    super(traceNorm, options);
  }

  /** Fits all tasks; `model.certificate` says how far from the optimum the result can be. */
  fit(given: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const data = this.rowsToFit(given, hooks);
    const { options } = this;
    const { lambda } = options;
    const method = { method: this.method, ...penaltiesOf(options), traceNorm: lambda };
    return fitPenalized(method, options, data, hooks);
  }
}
