/**
 * The non-private joint methods: which solver finds the minimum, and the model it becomes.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import type { LocalPenalty, MakePenalty, SharedPenalty } from "./penalties/penalty.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { solveAccelerated } from "./solvers/accelerated.js";
import type { PenalizedSolution, SolverOptions } from "./solvers/problem.js";
import { solveBySplitting, splittingPays } from "./solvers/splitting.js";
import { solveInSubspace, subspacePays } from "./solvers/subspace.js";
import type { ConvergenceOptions } from "../options/common-options.js";
import { fittedModel, noGuarantee } from "../fitted/build-model.js";
import type { CommonOptions } from "../tasks/common-options.js";
import type { FitOptions } from "../round/estimator.js";
import { withFreeIntercepts } from "./free-intercepts.js";
import { partsOf } from "./parts.js";
import { startOf } from "./warm-start.js";
import { placeWithinRange } from "./within-range.js";

/** Options of every method that joins tasks by a penalty. */
export type JointOptions = CommonOptions & ConvergenceOptions;

/** What tells one such method from another. */
export interface PenalizedMethod {
  readonly method: string;
  readonly shared: MakePenalty<SharedPenalty>;
  readonly local?: MakePenalty<LocalPenalty>;
  /**
   * Whether squared losses may be inverted instead of descended. Not for group-sparse penalties: with
   * rank-deficient tasks they have many minimisers, and gradient steps from zero find a small one.
   */
  readonly invertible?: boolean;
  /** Set where the shared penalty is this many times the trace norm. */
  readonly traceNorm?: number;
}

/** Places the tasks, solves from a cold or warm start, and makes the model; no guarantee. */
export async function fitPenalized(
  method: PenalizedMethod,
  options: JointOptions,
  data: TaskSet,
  hooks: FitOptions,
): Promise<FittedModel> {
  const placed = placeWithinRange(data, options);
  const tasks = withFreeIntercepts(placed.tasks);
  const { tolerance, maxRounds } = options;
  const solution = await solve(method, {
    tasks,
    start: startOf(method.method, data, hooks),
    tolerance,
    maxRounds,
    signal: hooks.signal,
    onRound: hooks.onRound,
  });
  return fittedModel(data, placed, solution, {
    method: method.method,
    options,
    guarantee: noGuarantee(`${method.method} learns from all tasks' models without noise`),
    ledger: null,
    ...solution,
    ...(method.local && solution.solver
      ? { components: partsOf(solution.solver, tasks.core) }
      : {}),
  });
}

/** The solver that suits: squared losses are inverted where that fits; the rest is descended. */
async function solve(
  { shared, local, invertible = false, traceNorm }: PenalizedMethod,
  options: SolverOptions,
): Promise<PenalizedSolution> {
  const { tasks, maxRounds } = options;
  // Matrices of d x d numbers for each task are not for sparse rows; what a subspace leaves of them is dense.
  const dense = tasks.isDense;
  if (tasks.loss === "squared" && invertible && (dense || traceNorm !== undefined)) {
    let begun: PenalizedSolution | undefined;
    if (traceNorm !== undefined && subspacePays(tasks)) {
      begun = await solveInSubspace({ ...options, lambda: traceNorm });
      if (begun.certificate.met || begun.rounds >= maxRounds) return begun;
    }
    const rest = begun ? continued(options, begun) : options;
    const next =
      dense && splittingPays(tasks)
        ? solveBySplitting({ ...rest, penalty: shared })
        : accelerate(shared, undefined, rest);
    return joined(begun, await next);
  }
  return accelerate(shared, local, options);
}

function accelerate(
  shared: MakePenalty<SharedPenalty>,
  local: MakePenalty<LocalPenalty> | undefined,
  options: SolverOptions,
): Promise<PenalizedSolution> {
  const { tasks } = options;
  const { m, d, core } = tasks;
  const steps = commonSteps(tasks, local ? 2 : 1);
  const context = { core, m, d, steps };
  return solveAccelerated({ ...options, shared: shared(context), local: local?.(context), steps });
}

/** The same problem from where a first solver left it. */
function continued(options: SolverOptions, begun: PenalizedSolution): SolverOptions {
  const { m, d, core } = options.tasks;
  const { arena } = core;
  const maxRounds = options.maxRounds - begun.rounds;
  return {
    ...options,
    start: {
      weights: arena.view(begun.weights, m * d).slice(),
      intercepts: begun.intercepts
        ? arena.view(begun.intercepts, m).slice()
        : options.start.intercepts,
    },
    maxRounds,
    onRound: (report) =>
      options.onRound?.({
        ...report,
        round: begun.rounds + report.round,
        rounds: options.maxRounds,
      }),
  };
}

/** The second solution, with the rounds and checks of the first before its own. */
function joined(first: PenalizedSolution | undefined, then: PenalizedSolution): PenalizedSolution {
  if (!first) return then;
  const later = then.history.map((check) => ({ ...check, round: first.rounds + check.round }));
  return {
    ...then,
    rounds: first.rounds + then.rounds,
    history: [...first.history, ...later],
  };
}

/**
 * One step size 1/(parts L) for all tasks, L the largest smoothness measured on the data: the
 * gradient in two parts jointly is 2L-Lipschitz.
 */
function commonSteps(tasks: ResidentTasks, parts: number): Float64Array {
  const largest = parts * Math.max(...tasks.smoothness());
  return new Float64Array(tasks.m).fill(largest > 0 ? 1 / largest : 1);
}
