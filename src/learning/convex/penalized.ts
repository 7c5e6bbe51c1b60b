/**
 * The non-private joint methods: which solver finds the minimum, and the model it becomes.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import { fittedModel, noGuarantee } from "../fitted/build-model.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import type { ConvergenceOptions } from "../options/common-options.js";
import type { FitOptions } from "../round/estimator.js";
import type { CommonOptions } from "../tasks/common-options.js";
import { batchSize } from "../tasks/resident-size.js";
import { withFreeIntercepts } from "./free-intercepts.js";
import { jointRounds } from "./joint-batches.js";
import { fitJointly } from "./joint-fit.js";
import { partsOf } from "./parts.js";
import type { Penalties } from "./penalties/penalty.js";
import { solveAccelerated } from "./solvers/accelerated.js";
import type { PenalizedSolution, SolverOptions } from "./solvers/problem.js";
import { solveInSubspace, subspaceFits, subspacePays } from "./solvers/subspace.js";
import { isDetermined } from "./splitting/determined.js";
import { splitHalf } from "./splitting/half.js";
import { solveBySplitting } from "./splitting/solve.js";
import { descendsFast, sparseSystemsFit, splittingPays, stepsExactly } from "./splitting/suits.js";
import { warmStartOf, zeroStart } from "./warm-start.js";
import { placeTasks } from "../tasks/resident-tasks.js";

/** Options of every method that joins tasks by a penalty. */
export type JointOptions = CommonOptions & ConvergenceOptions;

/** What tells one such method from another. */
export interface PenalizedMethod extends Penalties {
  readonly method: string;
  /** Set where the shared penalty is this many times the trace norm. */
  readonly traceNorm?: number;
  /** The modulus of strong convexity of the penalty; absent: 0. */
  readonly strength?: number;
  /**
   * Whether minimisers may differ by the scale of features that are tied to each other, as norms of rows allow. Exact steps end at any of
   * them; gradient steps from zeros at a small one, which is wanted.
   */
  readonly rescales?: boolean;
}

/** Places the tasks, solves from a cold or warm start, and makes the model; no guarantee. */
export async function fitPenalized(
  method: PenalizedMethod,
  options: JointOptions,
  data: TaskSet,
  hooks: FitOptions,
): Promise<FittedModel> {
  const guarantee = noGuarantee(`${method.method} learns from all tasks' models without noise`);
  const warm = warmStartOf(method.method, data, hooks);
  const { tolerance, maxRounds, loss } = options;
  const inSubspace = loss === "squared" && method.traceNorm !== undefined && subspacePays(data);
  const isDense = data.sparse === undefined;
  const descends = isDense && descendsFast(data, options.lossScale, method.strength ?? 0);
  const parts = method.local ? 2 : 1;
  const { statistic } = method.shared;
  // Of sparse rows by gradient steps, where exact ones do not pay.
  const spreads = isDense
    ? splittingPays(batchSize(data), parts)
    : !stepsExactly({ statistic, strength: method.strength ?? 0 }) || sparseSystemsFit(data, parts);
  if (!inSubspace && !descends && spreads) {
    const owner = { ...method, guarantee, options };
    const rounds = jointRounds(owner, data.sparse?.values.length);
    const model = await fitJointly(owner, rounds, data, warm, hooks);
    if (
      !method.rescales ||
      !rounds.areExact ||
      isDetermined(data, model.weights, options.intercept)
    )
      return model;
  }
  const placed = placeTasks(data, options);
  const tasks = withFreeIntercepts(placed.tasks);
  const { signal, onRound } = hooks;
  const start = warm ?? zeroStart(data);
  const problem = { tasks, start, tolerance, maxRounds, signal, onRound };
  const solution = inSubspace
    ? await solveFromSubspace(method, method.traceNorm, problem, spreads)
    : await solveAccelerated({ ...problem, ...method });
  return fittedModel(data, placed, solution, {
    method: method.method,
    options,
    guarantee,
    ledger: null,
    ...solution,
    ...(method.local && solution.solver
      ? { components: partsOf(solution.solver, tasks.core) }
      : {}),
  });
}

/** In a subspace as far as that goes, and then with all features. */
async function solveFromSubspace(
  { shared }: PenalizedMethod,
  lambda: number,
  options: SolverOptions,
  splits: boolean,
): Promise<PenalizedSolution> {
  const { tasks, maxRounds } = options;
  let begun: PenalizedSolution | undefined;
  if (subspaceFits(tasks)) {
    begun = await solveInSubspace({ ...options, lambda });
    if (begun.certificate.met || begun.rounds >= maxRounds) return begun;
  }
  const rest = begun ? continued(options, begun) : options;
  const next = splits ? solveSplit(rest, shared) : solveAccelerated({ ...rest, shared });
  return joined(begun, await next);
}

/** Douglas-Rachford rounds of tasks that are placed on this thread. */
async function solveSplit(
  { start, tasks, ...rest }: SolverOptions,
  shared: Penalties["shared"],
): Promise<PenalizedSolution> {
  const { core, m, d } = tasks;
  const half = splitHalf(tasks, { shared }, start);
  const solution = await solveBySplitting({ ...rest, core, m, d, half, shared, isSquared: true });
  return { ...solution, weights: half.steps.weights, intercepts: half.intercepts };
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
