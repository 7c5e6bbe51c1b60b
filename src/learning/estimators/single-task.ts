/**
 * Every task alone: the baseline that shares nothing.
 * @module
 */
import { ANY_ROWS } from "../options/rows-taken.js";
import { OptionError } from "../../core/index.js";
import { learnedBefore, type TaskSet } from "../../data/index.js";
import { startOf } from "../convex/warm-start.js";
import { noGuarantee } from "../fitted/build-model.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import {
  anyLoss,
  commonOptions,
  convergenceOptions,
  type ConvergenceOptions,
} from "../options/common-options.js";
import { aPositive, aWord, aWordOr } from "../options/kinds.js";
import type { MethodDescriptor } from "../options/method.js";
import { option, type OptionsOf } from "../options/option.js";
import { fitAlone } from "../families/alone/fit-alone.js";
import { lassoBatches } from "../families/alone/lasso-batches.js";
import { ownLimits } from "../fitted/own-limits.js";
import { ownBatches } from "../families/alone/own-batches.js";
import { ridgeBatches } from "../families/alone/ridge-batches.js";
import { ownSoftmaxBatches } from "../families/alone/softmax-own.js";
import { softmaxBatches } from "../families/alone/softmax-batches.js";
import type { Batches } from "../round/batches.js";
import type { FitOptions } from "../round/estimator.js";
import type { CommonOptions } from "../tasks/common-options.js";
import { ConfiguredEstimator } from "../options/configured-estimator.js";

const own = {
  /** "l2" (default): + (lambda/2) ||w_i||^2. "l1": + lambda ||w_i||_1. */
  penalty: option(aWord(["l2", "l1"]), {
    group: "model",
    help: "Ridge (l2) or lasso (l1).",
    default: "l2",
  }),
  /**
   * Weight of the penalty, > 0; "auto" (default): averaged over by each task's own evidence, on the task's own scale
   * (softmax: a public prior of one size on that scale).
   */
  lambda: option(aWordOr(["auto"], aPositive), {
    group: "model",
    help: "Weight of the penalty; auto: a public prior on the task's own scale, averaged over by its own evidence (softmax: of one size).",
    default: "auto",
  }),
};

/** Options of {@link SingleTask}. */
export interface SingleTaskOptions
  extends CommonOptions, ConvergenceOptions, OptionsOf<typeof own> {}

export const singleTask: MethodDescriptor<SingleTaskOptions> = {
  name: "single-task",
  title: "Every task alone",
  recommendedFor: "the baseline; few tasks, or eps far below 1",
  options: { ...commonOptions, ...convergenceOptions, loss: anyLoss, ...own },
  releases: "nothing",
  privacy: null,
  ranges: {},
  compared: ["squared", "logistic", "softmax"],
  check: ({ loss, penalty, lambda }) => {
    if (penalty === "l1" && lambda === "auto") {
      throw new OptionError(
        'single-task: lambda: "auto" is for penalty: "l2"; give the lasso a number',
      );
    }
    if (loss === "softmax" && penalty === "l1") {
      throw new OptionError(
        'single-task: penalty: "l1" is for the squared and logistic losses, the loss is softmax',
      );
    }
  },
  takes: () => ANY_ROWS,
  batches: batchesOf,
  make: (options) => new SingleTask(options),
};

/**
 * Every task's own Bayesian ridge or logistic regression under a weakly informative public prior, features on a scale
 * of the task's own (or by declared ranges), the penalty averaged over by the task's own evidence: what every method
 * falls back on. Features of which nothing is declared are held within what the task's rows showed of them, mean +- 4 deviations or
 * their extremes (`taskFeatureLimits`), when it predicts. With a number for lambda, min over each w_i of L_i(w_i) + (lambda/2) ||w_i||^2 (ridge), or
 * + lambda ||w_i||_1 (lasso).
 *
 * Ridge is solved exactly (Cholesky, or Newton for the logistic loss; L-BFGS for softmax), lasso by coordinate descent and
 * Newton's steps on the support, to a duality gap of each task. Nothing crosses tasks, so there is nothing to protect between them.
 *
 * @example const model = await new SingleTask({ lambda: 0.01 }).fit(train);
 */
export class SingleTask extends ConfiguredEstimator<SingleTaskOptions> {
  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<SingleTaskOptions>) {
    super(singleTask, options);
  }

  /** Fits every task alone; `model.certificate` bounds the distance to the optimum. */
  async fit(given: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const data = this.rowsToFit(given, hooks);
    const { method, options } = this;
    const learned = [
      ...learnedBefore(data, options.loss !== "squared"),
      ...(hooks.notCharged ?? []),
    ];
    const guarantee = noGuarantee(whyNone([...new Set(learned)]));
    const batches = batchesOf(options);
    const { penalty } = options;
    const proof = penalty === "l1" ? ("duality-gap" as const) : ("gradient-norm" as const);
    const start = penalty === "l1" && hooks.warmStart ? placedStart(method, data, hooks) : null;
    const owner = { method, guarantee, options, batches, proof };
    const model = await fitAlone(owner, data, { ...hooks, start });
    if (options.lambda !== "auto") return model;
    return model.withComponents({ ...model.components, ...ownLimits(data) });
  }
}

/** What whoever has one model is told of all tasks' rows all the same, begins so. */
export const FOUND_IN_ALL = ", except through what was found in all: ";

/** @param learned what all tasks have in common because it was read off their rows. */
function whyNone(learned: readonly string[]): string {
  const but = learned.length > 0 ? `${FOUND_IN_ALL}${learned.join("; ")}` : "";
  return `no task's model depends on another task's data${but}; each model reveals its own task's`;
}

/** Where the lasso starts: the weights of all tasks, and then the intercepts. */
function placedStart(method: string, data: TaskSet, hooks: FitOptions): Float64Array {
  const { weights, intercepts } = startOf(method, data, hooks);
  const start = new Float64Array(weights.length + intercepts.length);
  start.set(weights);
  start.set(intercepts, weights.length);
  return start;
}

/** The tasks in batches: nothing is shared, whatever the loss and the penalty. */
function batchesOf(options: SingleTaskOptions): Batches {
  const { loss, lambda, penalty } = options;
  const isSoftmax = loss === "softmax";
  if (lambda === "auto") return isSoftmax ? ownSoftmaxBatches(options) : ownBatches(options);
  if (isSoftmax) return softmaxBatches({ ...options, lambda });
  return penalty === "l1"
    ? lassoBatches({ ...options, lambda })
    : ridgeBatches({ ...options, lambda });
}
