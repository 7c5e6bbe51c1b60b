/**
 * Non-private group-sparse multi-task learning.
 * @module
 */
import { anyRows } from "../options/rows-taken.js";
import type { TaskSet } from "../../data/index.js";
import { fitPenalized } from "../convex/penalized.js";
import { jointBatches } from "../convex/joint-batches.js";
import { groupSparsePenalty } from "../convex/penalties/group-sparse.js";
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
  /** Weight of the l2,1 norm, > 0; default 0.1. */
  lambda: penaltyWeight,
};

/** Options of {@link GroupSparse}. */
export interface GroupSparseOptions
  extends CommonOptions, ConvergenceOptions, OptionsOf<typeof own> {}

const penaltiesOf = ({ lambda }: GroupSparseOptions) => ({ shared: groupSparsePenalty(lambda) });

export const groupSparse: MethodDescriptor<GroupSparseOptions> = {
  name: "group-sparse",
  title: "Group-sparse learning, not private",
  recommendedFor: "one owner holds all data, and tasks use the same few features",
  options: { ...commonOptions, ...convergenceOptions, ...own },
  releases: "everything, without noise",
  privacy: null,
  ranges: { lambda: logRange(10, 1e-3, 9) },
  compared: [],
  takes: anyRows,
  batches: (options) => jointBatches({ ...penaltiesOf(options), options }),
  make: (options) => new GroupSparse(options),
};

/**
 * min_W sum_i L_i(w_i) + lambda sum_j ||row j of W||_2: tasks agree on which features matter.
 *
 * The same rounds as `MpGroupSparse` without noise, with exact local steps where rows are dense, run until the
 * duality gap certifies the solution. Every task's model depends on every other task's data, unprotected.
 *
 * @see Liu, Ji, Ye (2009), "Multi-task feature learning via efficient l2,1-norm minimization".
 * @example const model = await new GroupSparse({ lambda: 0.1 }).fit(train);
 */
export class GroupSparse extends ConfiguredEstimator<GroupSparseOptions> {
  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<GroupSparseOptions>) {
    super(groupSparse, options);
  }

  /** Fits all tasks; `model.certificate` says how far from the optimum the result can be. */
  fit(given: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const data = this.rowsToFit(given, hooks);
    const { method, options } = this;
    return fitPenalized({ method, ...penaltiesOf(options), rescales: true }, options, data, hooks);
  }
}
