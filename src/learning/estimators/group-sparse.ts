/**
 * Non-private group-sparse multi-task learning.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import { rowNormRatio } from "../certificates/dual-norms.js";
import type { FittedModel } from "../fitted-model.js";
import { diagonalProjection } from "../local/projection.js";
import { groupSparseRule } from "../sharing/group-sparse.js";
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

/** Options of {@link GroupSparse}. */
export interface GroupSparseOptions extends CommonOptions, ConvergenceOptions {
  /** Weight of the l2,1 norm, > 0; default 0.1. */
  readonly lambda: number;
}

/**
 * min_W sum_i L_i(w_i) + lambda sum_j ||row j of W||_2: tasks agree on which features matter.
 *
 * The same rounds as `MpGroupSparse` without noise, run until the duality gap certifies the
 * solution. Every task's model depends on every other task's data, unprotected.
 *
 * @see Liu, Ji, Ye (2009), "Multi-task feature learning via efficient l2,1-norm minimization".
 * @example const model = await new GroupSparse({ lambda: 0.1 }).fit(train);
 */
export class GroupSparse implements Estimator {
  readonly method = "group-sparse";
  readonly options: GroupSparseOptions;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<GroupSparseOptions>) {
    this.options = checkOptions<GroupSparseOptions>(this.method, options, {
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
    const squares = core.arena.f64(d);
    const solution = await solvePenalized({
      tasks,
      rule: groupSparseRule(lambda * steps[0]!),
      projection: diagonalProjection(core, m, d),
      penalty: ({ output }) => {
        core.kernels.columnSquares(output, squares, m, d);
        return (
          lambda * core.arena.view(squares, d).reduce((sum, square) => sum + Math.sqrt(square), 0)
        );
      },
      dualRatio: rowNormRatio(core, m, d, lambda),
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
      guarantee: noGuarantee("group-sparse learns from all tasks' models without noise"),
      ledger: null,
      ...solution,
    });
  }
}
