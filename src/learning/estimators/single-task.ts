/**
 * Every task alone: the baseline that shares nothing.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { Certificate } from "../fitted/certificate.js";
import { polishIntercepts } from "../convex/certificates/intercepts.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { LOSS_NAMES } from "../tasks/losses.js";
import { l1Penalty } from "../convex/penalties/local.js";
import { scaledIdentity, solveTasks } from "../tasks/local-solves.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { aloneRule } from "../sharing/alone.js";
import { commonRules, convergenceRules, type ConvergenceOptions } from "../options/common-rules.js";
import { fittedModel, noGuarantee } from "../fitted/build-model.js";
import type { CommonOptions } from "../tasks/common-options.js";
import type { Estimator, FitOptions } from "../round/estimator.js";
import { aPositive, aWord, checkOptions, withDefault } from "../options/check-options.js";
import { solveAccelerated } from "../convex/solvers/accelerated.js";
import type { Start } from "../convex/solvers/problem.js";
import { fitSoftmaxRidge } from "../convex/softmax-ridge.js";
import { startOf } from "../convex/warm-start.js";
import { placeWithinRange } from "../convex/within-range.js";

/** Options of {@link SingleTask}. */
export interface SingleTaskOptions extends CommonOptions, ConvergenceOptions {
  /** "l2" (default): + (lambda/2) ||w_i||^2. "l1": + lambda ||w_i||_1. */
  readonly penalty: "l2" | "l1";
  /** Weight of the penalty, > 0; default 0.1. */
  readonly lambda: number;
}

/**
 * min over each w_i of L_i(w_i) + (lambda/2) ||w_i||^2 (ridge), or + lambda ||w_i||_1 (lasso).
 *
 * Ridge is solved exactly (Cholesky, or Newton for the logistic loss; L-BFGS for softmax), lasso by
 * accelerated proximal gradient. Nothing crosses tasks, so there is nothing to protect between them.
 *
 * @example const model = await new SingleTask({ lambda: 0.01 }).fit(train);
 */
export class SingleTask implements Estimator {
  readonly method = "single-task";
  readonly options: SingleTaskOptions;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<SingleTaskOptions>) {
    this.options = checkOptions<SingleTaskOptions>(this.method, options, {
      ...commonRules,
      ...convergenceRules,
      loss: withDefault(aWord(LOSS_NAMES), "squared"),
      penalty: withDefault(aWord(["l2", "l1"] as const), "l2"),
      lambda: withDefault(aPositive, 0.1),
    });
    const { loss, penalty } = this.options;
    if (loss === "softmax" && penalty === "l1") {
      throw new OptionError(
        `${this.method}: penalty: "l1" is for the squared and logistic losses, the loss is softmax`,
      );
    }
  }

  /** Fits every task alone; `model.certificate` bounds the distance to the optimum. */
  async fit(data: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const { method, options } = this;
    const guarantee = noGuarantee(
      "no task's model depends on another task's data; each model reveals its own task's",
    );
    if (options.loss === "softmax") {
      return fitSoftmaxRidge(data, options, { method, guarantee }, hooks);
    }
    const placed = placeWithinRange(data, options);
    const solution =
      options.penalty === "l2"
        ? ridge(placed.tasks, options)
        : await lasso(placed.tasks, options, startOf(method, data, hooks), hooks);
    return fittedModel(data, placed, solution, {
      method,
      options,
      guarantee,
      ledger: null,
      ...solution,
    });
  }
}

/** Every task's ridge model, exactly, with a certificate from strong convexity. */
function ridge(tasks: ResidentTasks, { lambda, tolerance }: SingleTaskOptions) {
  const { m, d, core } = tasks;
  const { arena, kernels } = core;
  const weights = arena.zeros(m * d);
  const intercepts = tasks.intercept ? arena.zeros(m) : 0;
  const precision = scaledIdentity(arena, d, lambda);
  solveTasks(tasks, { precision, center: 0 }, { weights, intercepts });

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
  const value = objective > 0 ? bound / objective : 0;
  const certificate: Certificate = {
    kind: "gradient-norm",
    value,
    tolerance,
    met: value <= tolerance,
    interceptResidual,
  };
  return { weights, intercepts, objective, certificate, rounds: 0, history: [] };
}

/** Every task's lasso model; the soft threshold needs no message, so each task has its own step. */
function lasso(
  tasks: ResidentTasks,
  { lambda, tolerance, maxRounds }: SingleTaskOptions,
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
