/**
 * Accelerated proximal gradient to a certificate: the non-private methods as Algorithm 1 without
 * noise, clipping or a fixed number of rounds.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import type { Certificate } from "../certificates/certificate.js";
import { DualityGap, type DualRatio, type Gap } from "../certificates/duality-gap.js";
import { restartedMomentum } from "../local/momentum.js";
import type { Projection } from "../local/projection.js";
import { ProximalGradient } from "../local/proximal-gradient.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { Curator } from "../round/curator.js";
import { runRounds, type RoundReport } from "../round/run.js";
import type { SharingRule } from "../round/sharing-rule.js";

/** Rounds between two evaluations of the certificate: a tenth of the work at most. */
const CHECK_EVERY = 10;

/** One problem min_W sum_i L_i(w_i) + lambda Omega(W). */
export interface PenalizedProblem {
  readonly tasks: ResidentTasks;
  readonly rule: SharingRule;
  readonly projection: Projection;
  /** A second additive part of the model with its own penalty, local to each task. */
  readonly localPart?: Projection | undefined;
  /** lambda Omega at the output, both parts. */
  readonly penalty: (solver: ProximalGradient) => number;
  readonly dualRatio: DualRatio;
  /** Step size of every task, [m]. */
  readonly steps: Float64Array;
  readonly initial: Float64Array;
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
  const { tasks, tolerance, maxRounds } = problem;
  const { m, d, core } = tasks;
  const solver = new ProximalGradient(tasks, {
    clip: Infinity,
    clipIterate: false,
    steps: problem.steps,
    strongConvexity: 0,
    momentum: restartedMomentum(),
    projection: problem.projection,
    localPart: problem.localPart,
    initial: problem.initial,
    initialIntercepts: new Float64Array(m),
  });
  const curator = new Curator({ core, m, d, rule: problem.rule });
  const gap = new DualityGap(tasks, problem.dualRatio);
  const history: { round: number; objective: number; gap: number }[] = [];
  let last: Gap = { objective: Infinity, relative: Infinity, interceptResidual: Infinity };
  const check = (round: number) => {
    last = gap.at(solver.weights, solver.intercepts, problem.penalty(solver));
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

/** One step size 1/L for all tasks, L the largest smoothness measured on the data. */
export function commonSteps(tasks: ResidentTasks): Float64Array {
  const largest = Math.max(...tasks.smoothness());
  return new Float64Array(tasks.m).fill(largest > 0 ? 1 / largest : 1);
}
