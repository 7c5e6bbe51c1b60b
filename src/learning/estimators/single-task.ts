/**
 * Every task alone: the baseline that shares nothing.
 * @module
 */
import { ANY_ROWS } from "../options/rows-taken.js";
import { OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { polishIntercepts } from "../convex/certificates/intercepts.js";
import { l1Penalty } from "../convex/penalties/local.js";
import { solveAccelerated } from "../convex/solvers/accelerated.js";
import type { Start } from "../convex/solvers/problem.js";
import { startOf } from "../convex/warm-start.js";
import { placeWithinRange } from "../convex/within-range.js";
import { fittedModel, noGuarantee } from "../fitted/build-model.js";
import { gradientCertificate } from "../fitted/certificate.js";
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
import { ownBatches } from "../families/alone/own-batches.js";
import { ownSoftmaxBatches } from "../families/alone/softmax-own.js";
import { softmaxBatches } from "../families/alone/softmax-batches.js";
import type { Batches } from "../round/batches.js";
import type { FitOptions } from "../round/estimator.js";
import { aloneRule } from "../sharing/alone.js";
import type { CommonOptions } from "../tasks/common-options.js";
import { ridgeModels } from "../tasks/ridge.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
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
 * falls back on. With a number for lambda, min over each w_i of L_i(w_i) + (lambda/2) ||w_i||^2 (ridge), or
 * + lambda ||w_i||_1 (lasso).
 *
 * Ridge is solved exactly (Cholesky, or Newton for the logistic loss; L-BFGS for softmax), lasso by
 * accelerated proximal gradient. Nothing crosses tasks, so there is nothing to protect between them.
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
    const guarantee = noGuarantee(
      "no task's model depends on another task's data; each model reveals its own task's",
    );
    const batches = batchesOf(options);
    if (batches) {
      return fitAlone({ method, guarantee, options, batches }, data, hooks);
    }
    const lambda = options.lambda as number;
    const placed = placeWithinRange(data, options);
    const solution =
      options.penalty === "l2"
        ? ridge(placed.tasks, { ...options, lambda })
        : await lasso(placed.tasks, { ...options, lambda }, startOf(method, data, hooks), hooks);
    return fittedModel(data, placed, solution, {
      method,
      options,
      guarantee,
      ledger: null,
      ...solution,
    });
  }
}

/** With a number for lambda. */
type Penalized = SingleTaskOptions & { readonly lambda: number };

/** The tasks in batches; undefined with a given penalty, whose certificate is one of all tasks together. */
function batchesOf(options: SingleTaskOptions): Batches | undefined {
  const { loss, lambda } = options;
  if (lambda === "auto")
    return loss === "softmax" ? ownSoftmaxBatches(options) : ownBatches(options);
  return loss === "softmax" ? softmaxBatches({ ...options, lambda }) : undefined;
}

/** Every task's ridge model, exactly, with a certificate from strong convexity. */
function ridge(tasks: ResidentTasks, { lambda, tolerance }: Penalized) {
  const { m, d, core } = tasks;
  const { arena, kernels } = core;
  const models = ridgeModels(tasks, lambda);
  const weights = arena.copyOf(models.weights);
  const intercepts = tasks.intercept ? arena.copyOf(models.intercepts) : 0;

  const gradient = arena.f64(m * d);
  const interceptGradient = tasks.intercept ? arena.f64(m) : 0;
  const losses = arena.f64(m);
  const evaluate = () => {
    tasks.gradients(weights, intercepts, gradient, interceptGradient, losses);
  };
  evaluate();
  const interceptResidual = tasks.intercept
    ? polishIntercepts(core, m, intercepts, interceptGradient, evaluate)
    : 0;
  const penalty = (lambda / 2) * kernels.dot(weights, weights, m * d);
  const objective = arena.view(losses, m).reduce((sum, loss) => sum + loss, penalty);
  kernels.axpy(lambda, weights, gradient, m * d);
  const bound = kernels.dot(gradient, gradient, m * d) / (2 * lambda);
  const certificate = gradientCertificate(bound, { objective, tolerance, interceptResidual });
  return { weights, intercepts, objective, certificate, rounds: 0, history: [] };
}

/** Every task's lasso model; the soft threshold needs no broadcast, so each task has its own step. */
function lasso(
  tasks: ResidentTasks,
  { lambda, tolerance, maxRounds }: Penalized,
  start: Start,
  { signal, onRound }: FitOptions,
) {
  const { m, d, core } = tasks;
  const steps = tasks.smoothness().map((bound) => (bound > 0 ? 1 / bound : 1));
  return solveAccelerated({
    tasks,
    shared: { ...l1Penalty(lambda)({ core, m, d, steps }), rule: aloneRule },
    steps,
    start,
    tolerance,
    maxRounds,
    signal,
    onRound,
  });
}
