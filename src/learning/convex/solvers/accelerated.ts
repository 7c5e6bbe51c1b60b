/**
 * Accelerated proximal gradient to a certificate: Algorithm 1 without noise, clipping or a fixed
 * number of rounds. For every loss and for models in two parts.
 * @module
 */
import { largest } from "../../../core/largest.js";
import { conjugateOfParts } from "../certificates/conjugate.js";
import { DualityGap, type Gap } from "../certificates/duality-gap.js";
import { restartedMomentum } from "../../steps/momentum.js";
import { ProximalGradient } from "../../steps/proximal-gradient.js";
import type { LocalPenalty, MakePenalty, SharedPenalty } from "../penalties/penalty.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { Curator } from "../../round/curator.js";
import { runRounds } from "../../round/run.js";
import {
  certificateOf,
  CHECK_EVERY,
  UNKNOWN_GAP,
  type Check,
  type PenalizedSolution,
  type SolverOptions,
} from "./problem.js";

/** One problem min over W = P (+ Q) of sum_i L_i(w_i) + shared(P) (+ local(Q)). */
export interface AcceleratedProblem extends SolverOptions {
  readonly shared: SharedPenalty;
  /** A second additive part of the model with its own penalty, local to each task. */
  readonly local?: MakePenalty<LocalPenalty> | undefined;
  /** Step size of every task, [m]; default one for all, which shared penalties need. */
  readonly steps?: Float64Array;
}

/**
 * Runs until the relative duality gap is at most `tolerance` or `maxRounds` are done; which of
 * the two is in the certificate.
 */
export async function solveAccelerated(
  problem: AcceleratedProblem,
): Promise<PenalizedSolution & { solver: ProximalGradient }> {
  const { tasks, start, tolerance, maxRounds } = problem;
  const { m, d, core } = tasks;
  const steps = problem.steps ?? commonSteps(tasks, problem.local ? 2 : 1);
  const context = { core, m, d, steps };
  const shared = problem.shared.curator(context);
  const local = problem.local?.(context);
  const solver = new ProximalGradient(tasks, {
    clip: Infinity,
    clipIterate: false,
    steps,
    strongConvexity: 0,
    momentum: restartedMomentum(),
    gradientFirst: true,
    projection: problem.shared.projection(core, m, d),
    localPart: local?.projection,
    initial: start.weights,
    initialLocal: start.local,
    initialIntercepts: start.intercepts,
  });
  const curator = new Curator({ core, m, d, rule: shared.rule });
  const conjugate = local ? conjugateOfParts(shared.conjugate, local.conjugate) : shared.conjugate;
  const gap = new DualityGap(tasks, conjugate);
  const history: Check[] = [];
  let last: Gap = UNKNOWN_GAP;
  let penalty = NaN;
  const check = (round: number) => {
    penalty = shared.value() + (local?.value(solver.localOutput) ?? 0);
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
    penalty,
    certificate: certificateOf(last, tolerance),
    rounds,
    history,
  };
}

/**
 * One step size 1/(parts L) for all tasks, L the largest smoothness measured on the data: the
 * gradient in two parts jointly is 2L-Lipschitz.
 */
function commonSteps(tasks: ResidentTasks, parts: number): Float64Array {
  const smoothness = parts * largest(tasks.smoothness(true));
  return new Float64Array(tasks.m).fill(smoothness > 0 ? 1 / smoothness : 1);
}
