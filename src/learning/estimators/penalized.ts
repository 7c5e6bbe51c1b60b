/**
 * Accelerated proximal gradient to a certificate: the non-private methods as Algorithm 1 without
 * noise, clipping or a fixed number of rounds.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { Certificate } from "../certificates/certificate.js";
import { conjugateOfParts } from "../certificates/conjugate.js";
import { DualityGap, type Gap } from "../certificates/duality-gap.js";
import type { FittedModel } from "../fitted-model.js";
import { restartedMomentum } from "../local/momentum.js";
import { ProximalGradient } from "../local/proximal-gradient.js";
import type { LocalPenalty, MakePenalty, SharedPenalty } from "../penalties/penalty.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { Curator } from "../round/curator.js";
import { runRounds, type RoundReport } from "../round/run.js";
import type { ConvergenceOptions } from "./common-rules.js";
import {
  fittedModel,
  noGuarantee,
  placeTasks,
  type CommonOptions,
  type FitOptions,
} from "./estimator.js";
import { partsOf } from "./parts.js";
import { startOf, type Start } from "./warm-start.js";

/** Rounds between two evaluations of the certificate: a tenth of the work at most. */
const CHECK_EVERY = 10;

/** One problem min over W = P (+ Q) of sum_i L_i(w_i) + shared(P) (+ local(Q)). */
export interface PenalizedProblem {
  readonly tasks: ResidentTasks;
  readonly shared: SharedPenalty;
  /** A second additive part of the model with its own penalty, local to each task. */
  readonly local?: LocalPenalty | undefined;
  /** Step size of every task, [m]. */
  readonly steps: Float64Array;
  readonly start: Start;
  readonly tolerance: number;
  readonly maxRounds: number;
  readonly signal?: AbortSignal | undefined;
  readonly onRound?: ((report: RoundReport) => void) | undefined;
}

/** Where the solver stopped. Models are in the core's memory. */
export interface PenalizedSolution {
  readonly solver: ProximalGradient;
  readonly weights: Pointer;
  readonly intercepts: Pointer;
  readonly objective: number;
  readonly certificate: Certificate;
  readonly rounds: number;
  /** Objective and relative gap at every check. */
  readonly history: readonly { round: number; objective: number; gap: number }[];
}

/**
 * Runs until the relative duality gap is at most `tolerance` or `maxRounds` are done; which of
 * the two is in the certificate.
 */
export async function solvePenalized(problem: PenalizedProblem): Promise<PenalizedSolution> {
  const { tasks, shared, local, start, tolerance, maxRounds } = problem;
  const { m, d, core } = tasks;
  const solver = new ProximalGradient(tasks, {
    clip: Infinity,
    clipIterate: false,
    steps: problem.steps,
    strongConvexity: 0,
    momentum: restartedMomentum(),
    gradientFirst: true,
    projection: shared.projection,
    localPart: local?.projection,
    initial: start.weights,
    initialLocal: start.local,
    initialIntercepts: start.intercepts,
  });
  const curator = new Curator({ core, m, d, rule: shared.rule });
  const conjugate = local ? conjugateOfParts(shared.conjugate, local.conjugate) : shared.conjugate;
  const gap = new DualityGap(tasks, conjugate);
  const history: { round: number; objective: number; gap: number }[] = [];
  let last: Gap = { objective: Infinity, relative: Infinity, interceptResidual: Infinity };
  const check = (round: number) => {
    const penalty = shared.value(solver.output) + (local?.value(solver.localOutput) ?? 0);
    last = gap.at(solver.weights, solver.intercepts, penalty);
    history.push({ round, objective: last.objective, gap: last.relative });
    return last.relative <= tolerance;
  };
  const rounds = await runRounds({
    participants: solver,
    curator,
    rounds: maxRounds,
    signal: problem.signal,
    onRound: problem.onRound,
    stop: (round) =>
      (round === 1 || round % CHECK_EVERY === 0 || round === maxRounds) && check(round),
  });
  return {
    solver,
    weights: solver.weights,
    intercepts: solver.intercepts,
    objective: last.objective,
    certificate: {
      kind: "duality-gap",
      value: last.relative,
      tolerance,
      met: last.relative <= tolerance,
      interceptResidual: last.interceptResidual,
    },
    rounds,
    history,
  };
}

/** Options of every method that joins tasks by a penalty. */
export type JointOptions = CommonOptions & ConvergenceOptions;

/** What tells one such method from another. */
export interface PenalizedMethod {
  readonly method: string;
  readonly shared: MakePenalty<SharedPenalty>;
  readonly local?: MakePenalty<LocalPenalty>;
}

/** Places the tasks, solves from a cold or warm start, and makes the model; no guarantee. */
export async function fitPenalized(
  { method, shared, local }: PenalizedMethod,
  options: JointOptions,
  data: TaskSet,
  hooks: FitOptions,
): Promise<FittedModel> {
  const placed = placeTasks(data, options);
  const { tasks } = placed;
  const { m, d, core } = tasks;
  const steps = commonSteps(tasks, local ? 2 : 1);
  const context = { core, m, d, steps };
  const { tolerance, maxRounds } = options;
  const solution = await solvePenalized({
    tasks,
    shared: shared(context),
    local: local?.(context),
    steps,
    start: startOf(method, data, hooks),
    tolerance,
    maxRounds,
    signal: hooks.signal,
    onRound: hooks.onRound,
  });
  return fittedModel(data, placed, solution, {
    method,
    options,
    guarantee: noGuarantee(`${method} learns from all tasks' models without noise`),
    ledger: null,
    ...solution,
    ...(local ? { components: partsOf(solution.solver, core) } : {}),
  });
}

/**
 * One step size 1/(parts L) for all tasks, L the largest smoothness measured on the data: the
 * gradient in two parts jointly is 2L-Lipschitz.
 */
export function commonSteps(tasks: ResidentTasks, parts: number): Float64Array {
  const largest = parts * Math.max(...tasks.smoothness());
  return new Float64Array(tasks.m).fill(largest > 0 ? 1 / largest : 1);
}
