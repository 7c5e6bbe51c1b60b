/**
 * Non-private low-rank multi-task learning.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import { spectralRatio } from "../certificates/dual-norms.js";
import type { FittedModel } from "../fitted-model.js";
import { matrixProjection } from "../local/projection.js";
import { lowRankRule } from "../sharing/low-rank.js";
import { commonRules, convergenceRules, type ConvergenceOptions } from "./common-rules.js";
import {
  fittedModel,
  noGuarantee,
  placeTasks,
  type CommonOptions,
  type Estimator,
  type FitOptions,
} from "./estimator.js";
import { aPositive, checkOptions, withDefault } from "./options.js";
import { commonSteps, solvePenalized } from "./penalized.js";

/** Options of {@link TraceNorm}. */
export interface TraceNormOptions extends CommonOptions, ConvergenceOptions {
  /** Weight of the trace norm, > 0; default 0.1. */
  readonly lambda: number;
}

/**
 * min_W sum_i L_i(w_i) + lambda ||W||_*, by accelerated proximal gradient with restarts.
 *
 * The same rounds as `MpLowRank` without noise, run until the duality gap certifies the solution.
 * Every task's model depends on every other task's data, unprotected.
 *
 * @see Ji and Ye (2009), "An accelerated gradient method for trace norm minimization".
 * @example const model = await new TraceNorm({ lambda: 0.1 }).fit(train);
 */
export class TraceNorm implements Estimator {
  readonly method = "trace-norm";
  readonly options: TraceNormOptions;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<TraceNormOptions>) {
    this.options = checkOptions<TraceNormOptions>(this.method, options, {
      ...commonRules,
      ...convergenceRules,
      lambda: withDefault(aPositive, 0.1),
    });
  }

  /** Fits all tasks; `model.certificate` says how far from the optimum the result can be. */
  async fit(data: TaskSet, { signal, onRound }: FitOptions = {}): Promise<FittedModel> {
    const { lambda, tolerance, maxRounds } = this.options;
    const placed = placeTasks(data, this.options);
    const { tasks } = placed;
    const { m, d, core } = tasks;
    const steps = commonSteps(tasks);
    const rule = lowRankRule(lambda * steps[0]!);
    const solution = await solvePenalized({
      tasks,
      rule,
      projection: matrixProjection(core, m, d),
      penalty: () => lambda * rule.nuclearNorm(),
      dualRatio: spectralRatio(core, m, d, lambda),
      steps,
      initial: new Float64Array(m * d),
      tolerance,
      maxRounds,
      signal,
      onRound,
    });
    return fittedModel(data, placed, solution, {
      method: this.method,
      options: this.options,
      guarantee: noGuarantee("trace-norm learns from all tasks' models without noise"),
      ledger: null,
      ...solution,
    });
  }
}
