/**
 * From the smallest penalty that silences all tasks down to weaker ones, each fit starting where the
 * last one ended.
 * @module
 */
import * as math from "../../core/elementary.js";
import { closeCore, OptionError, integer, openCore, positive } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { requireSquarableRows } from "../../data/checks/squarable-rows.js";
import { requireTaskSet } from "../../data/checks/require-task-set.js";
import type { Conjugate } from "../convex/certificates/conjugate.js";
import { DualityGap } from "../convex/certificates/duality-gap.js";
import { commonOptions } from "../options/common-options.js";
import { placeTasks } from "../tasks/resident-tasks.js";
import type { CommonOptions } from "../tasks/common-options.js";
import type { Estimator, FitOptions } from "../round/estimator.js";
import { checkOptions } from "../options/configured-estimator.js";
import { aWord } from "../options/kinds.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { groupSparsePenalty } from "../convex/penalties/group-sparse.js";
import { l1Penalty } from "../convex/penalties/local.js";
import type { PenaltyContext } from "../convex/penalties/penalty.js";
import { traceNormPenalty } from "../convex/penalties/trace-norm.js";

/** Penalties that are norms, by method; "lasso" is `SingleTask` with penalty "l1". */
export type NormPenalty = "trace-norm" | "group-sparse" | "lasso";

/** The problem whose largest useful lambda is asked for; its loss options as in the fit. */
export interface LambdaMaxOptions extends CommonOptions {
  /** Which norm lambda multiplies. */
  readonly penalty: NormPenalty;
}

const CONJUGATES: Record<NormPenalty, (context: PenaltyContext) => Conjugate> = {
  "trace-norm": (context) => traceNormPenalty(1).curator(context).conjugate,
  "group-sparse": (context) => groupSparsePenalty(1).curator(context).conjugate,
  lasso: (context) => l1Penalty(1)(context).conjugate,
};

/**
 * The smallest lambda whose solution is W = 0: the dual norm of the losses' gradient there, with
 * the intercepts, if any, at their optimum. It is computed from all tasks' data, unprotected.
 *
 * @param options the penalty, and as the estimator would have them the loss, its scale and whether there is an intercept.
 * @throws OptionError naming every bad option; DataError as `fit`.
 * @example lambdaMax(train, { penalty: "trace-norm", lossScale: "sum" })
 */
export function lambdaMax(
  data: TaskSet,
  options: Partial<LambdaMaxOptions> & Pick<LambdaMaxOptions, "penalty">,
): number {
  const checked = checkOptions<LambdaMaxOptions>("lambdaMax", options, {
    ...commonOptions,
    penalty: aWord(["trace-norm", "group-sparse", "lasso"]),
  });
  requireTaskSet("data", data);
  requireSquarableRows(data);
  const core = openCore();
  try {
    const { tasks } = placeTasks(data, checked, { core });
    const { m, d } = tasks;
    const steps = new Float64Array(m).fill(1);
    const conjugate = CONJUGATES[checked.penalty]({ core, m, d, steps });
    const intercepts = tasks.intercept ? core.arena.zeros(m) : 0;
    return (
      1 / new DualityGap(tasks, conjugate).conjugateAt(core.arena.zeros(m * d), intercepts).limit
    );
  } finally {
    closeCore(core);
  }
}

/**
 * `count` values from `largest` down to `ratio` times it, evenly spaced in the logarithm.
 *
 * @param largest       > 0, for example `lambdaMax`.
 * @param options       how many, how far down.
 * @param options.count >= 2; default 20.
 * @param options.ratio in (0, 1); default 0.001.
 * @returns Float64Array, shape [count], descending.
 * @throws RangeError, TypeError or OptionError naming the argument that is out of range.
 */
export function lambdaGrid(
  largest: number,
  { count = 20, ratio = 1e-3 }: { count?: number; ratio?: number } = {},
): Float64Array {
  positive("largest", largest);
  integer("count", count, 2);
  if (!(ratio > 0 && ratio < 1)) {
    throw new OptionError(`ratio: expected 0 < ratio < 1, got ${ratio}`);
  }
  return Float64Array.from({ length: count }, (_, k) => largest * math.pow(ratio, k / (count - 1)));
}

/**
 * Fits one model per lambda, each started at the one before (`warmStart`); the solutions are those
 * of separate fits to their certificates.
 *
 * @param data    the tasks of every fit.
 * @param lambdas in the order of the fits; from the largest down each fit starts near its solution.
 * @param make    the estimator for a lambda.
 * @param hooks   as those of `fit`, for every fit; `warmStart` is where the first one starts.
 * @example
 * const lambdas = lambdaGrid(lambdaMax(train, { penalty: "trace-norm" }));
 * for await (const model of fitPath(train, lambdas, (lambda) => new TraceNorm({ lambda }))) …
 */
export async function* fitPath(
  data: TaskSet,
  lambdas: Iterable<number>,
  make: (lambda: number) => Estimator,
  hooks: FitOptions = {},
): AsyncGenerator<FittedModel, void, undefined> {
  requireTaskSet("data", data);
  let warmStart = hooks.warmStart;
  for (const lambda of lambdas) {
    warmStart = await make(lambda).fit(data, { ...hooks, warmStart });
    yield warmStart;
  }
}
