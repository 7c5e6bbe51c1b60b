/**
 * Non-private multi-task learning with a shared and an individual part.
 * @module
 */
import { ANY_ROWS } from "../options/rows-taken.js";
import type { TaskSet } from "../../data/index.js";
import { fitPenalized } from "../convex/penalized.js";
import { jointBatches } from "../convex/joint-batches.js";
import { localPenaltyOf, partOptions, type PartOptions } from "../convex/parts.js";
import { groupSparsePenalty } from "../convex/penalties/group-sparse.js";
import { traceNormPenalty } from "../convex/penalties/trace-norm.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import {
  commonOptions,
  convergenceOptions,
  type ConvergenceOptions,
} from "../options/common-options.js";
import { aPositive } from "../options/kinds.js";
import { logRange, type MethodDescriptor } from "../options/method.js";
import { option, type OptionsOf } from "../options/option.js";
import type { FitOptions } from "../round/estimator.js";
import type { CommonOptions } from "../tasks/common-options.js";
import { ConfiguredEstimator } from "../options/configured-estimator.js";

const own = {
  /** Weight of the shared part's penalty, > 0; default 0.1. */
  lambda: option(aPositive, {
    group: "model",
    help: "Weight of the shared part's penalty.",
    default: 0.1,
  }),
  /** Weight of the local part's penalty, > 0; default 0.1. */
  lambda2: option(aPositive, {
    group: "model",
    help: "Weight of the penalty of each task's own part.",
    default: 0.1,
  }),
};

/** Options of {@link LowRankSparse}. */
export interface LowRankSparseOptions
  extends CommonOptions, ConvergenceOptions, PartOptions, OptionsOf<typeof own> {}

const SHARED = { trace: traceNormPenalty, l21: groupSparsePenalty } as const;

const penaltiesOf = (options: LowRankSparseOptions) => ({
  shared: SHARED[options.sharedPenalty](options.lambda),
  local: localPenaltyOf(options, options.lambda2),
});

export const lowRankSparse: MethodDescriptor<LowRankSparseOptions> = {
  name: "low-rank-sparse",
  title: "Shared and own parts, not private",
  recommendedFor: "one owner holds all data, and tasks have parts of their own",
  options: { ...commonOptions, ...convergenceOptions, ...partOptions, ...own },
  releases: "everything, without noise",
  privacy: null,
  ranges: { lambda: logRange(10, 0.01, 4), lambda2: logRange(10, 0.01, 4) },
  compared: [],
  takes: () => ANY_ROWS,
  batches: (options) => jointBatches({ ...penaltiesOf(options), options }),
  make: (options) => new LowRankSparse(options),
};

/**
 * min over W = P + Q of sum_i L_i(p_i + q_i) + lambda ||P||_* + lambda2 ||Q||_1, and Remark 4's
 * variants: what the tasks share is of low rank (or few features), what is each task's own is
 * sparse (or a few tasks' only, or small).
 *
 * The same rounds as `MpLowRankSparse` without noise, run until the duality gap certifies P + Q;
 * both parts are in `model.components`. Every task's model depends on every other task's data,
 * unprotected.
 *
 * @see Liang et al., "Model-Protected Multi-Task Learning", Algorithm 4 and Remark 4; Chen, Zhou, Ye
 *   (2011), "Integrating low-rank and group-sparse structures for robust multi-task learning".
 * @example const model = await new LowRankSparse({ lambda: 0.1, lambda2: 0.01 }).fit(train);
 */
export class LowRankSparse extends ConfiguredEstimator<LowRankSparseOptions> {
  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<LowRankSparseOptions>) {
    super(lowRankSparse, options);
  }

  /** Fits all tasks; `model.certificate` says how far from the optimum the result can be. */
  fit(given: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const data = this.rowsToFit(given, hooks);
    const { method, options } = this;
    return fitPenalized({ method, ...penaltiesOf(options) }, options, data, hooks);
  }
}
