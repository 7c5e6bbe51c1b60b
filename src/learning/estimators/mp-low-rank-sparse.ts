/**
 * Algorithm 4: private multi-task learning with a shared and an individual part.
 * @module
 */
import { rowsOfPrecision } from "../options/rows-taken.js";
import type { Statistic } from "../../privacy/index.js";
import { checkMechanism, mechanismFor } from "../options/private-options.js";
import { localPenaltyOf, partOptions, type PartOptions } from "../convex/parts.js";
import { projectedHalves } from "../families/projected/halves.js";
import {
  checkProjected,
  gradientOptions,
  type GradientMethodOptions,
} from "../families/projected/options.js";
import { aNonNegative, aWord } from "../options/kinds.js";
import { plannedClip } from "../options/clip-option.js";
import { logRange, type DividedMethod } from "../options/method.js";
import { option, type OptionsOf } from "../options/option.js";
import { groupSparseRule } from "../sharing/group-sparse.js";
import { lowRankRule } from "../sharing/low-rank.js";
import { diagonalProjection, matrixProjection } from "../steps/projection.js";
import { PrivateEstimator } from "../release/private-estimator.js";

const own = {
  /** Weight of the local part's penalty, >= 0; default 0.1. */
  lambda2: option(aNonNegative, {
    group: "model",
    help: "Weight of the penalty of each task's own part.",
    default: 0.1,
  }),
  /** Q(0): "zeros" (default), or "initial": W(0), as the papers print, so the first model is 2 W(0). */
  initialLocal: option(aWord(["zeros", "initial"]), {
    group: "rounds",
    help: "Where each task's own part starts: zeros, or where the models start.",
    default: "zeros",
  }),
};

/** Options of {@link MpLowRankSparse}; `lambda` is the weight of the shared part's penalty. */
export interface MpLowRankSparseOptions
  extends GradientMethodOptions, PartOptions, OptionsOf<typeof own> {}

const SHARED = {
  trace: { rule: lowRankRule, projection: matrixProjection },
  l21: { rule: groupSparseRule, projection: diagonalProjection },
} as const;

/** What is released. */
const statistics: readonly Statistic[] = ["covariance", "diagonal"];

export const mpLowRankSparse: DividedMethod<MpLowRankSparseOptions> = {
  name: "mp-low-rank-sparse",
  title: "Algorithm 4, shared and own parts",
  recommendedFor: "tasks with parts of their own",
  options: { ...gradientOptions, ...partOptions, ...own, mechanism: mechanismFor(statistics) },
  releases: "W W^T or its diagonal + noise",
  privacy: {
    unit: "task",
    statistics,
    budget: "scheduled",
  },
  ranges: {
    lambda: logRange(1, 0.01, 3),
    lambda2: logRange(1, 0.01, 3),
    clip: [10, 1],
  },
  compared: [],
  check: (options) => {
    const { mechanism, sharedPenalty } = options;
    const statistic = sharedPenalty === "trace" ? "covariance" : "diagonal";
    checkMechanism("mp-low-rank-sparse", mechanism, statistic, `sharedPenalty "${sharedPenalty}"`);
    checkProjected("mp-low-rank-sparse", options);
  },
  halves: (options) =>
    projectedHalves(
      {
        ...SHARED[options.sharedPenalty],
        local: localPenaltyOf(options, options.lambda2),
        localStartsAtInitial: options.initialLocal === "initial",
      },
      options,
    ),
  uploadNorm: ({ clip }) => plannedClip(clip),
  takes: rowsOfPrecision,
  make: (options) => new MpLowRankSparse(options),
};

/**
 * Private learning of W = P + Q: the shared part P goes through the rounds of `MpLowRank` (or
 * `MpGroupSparse`), the individual part Q is penalised and kept by its task, and both step along
 * the gradient at their sum. Only the clipped p_i are ever shown, so Q costs no privacy; both parts
 * are in `model.components`. `stepSize: "auto"` is 1/(2L): the gradient in (P, Q) jointly is
 * 2L-Lipschitz.
 *
 * The guarantee is joint differential privacy (billboard lemma): the view of all other tasks together is
 * (epsilon, delta)-DP with respect to one task. Nothing protects a task from whoever holds its
 * own model. The clip bound K, of the p_i, must come from public knowledge.
 *
 * @see Liang et al., "Model-Protected Multi-Task Learning", Algorithm 4 and Remark 4; line 6 is read
 *   with this round's covariance, and Q(0) = 0.
 * @example
 * const model = await new MpLowRankSparse({ epsilon: 1, clip: 90, lambda: 3, lambda2: 1 }).fit(train);
 */
export class MpLowRankSparse extends PrivateEstimator<MpLowRankSparseOptions> {
  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(options?: Partial<MpLowRankSparseOptions>) {
    super(mpLowRankSparse, options);
  }
}
