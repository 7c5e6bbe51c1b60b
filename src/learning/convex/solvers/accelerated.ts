/**
 * Accelerated proximal gradient to a certificate: Algorithm 1 without noise, clipping or a fixed
 * number of rounds. For every loss and for models in two parts.
 * @module
 */
import { conjugateOfParts } from "../certificates/conjugate.js";
import { DualityGap, type Gap } from "../certificates/duality-gap.js";
import { restartedMomentum } from "../../steps/momentum.js";
import { ProximalGradient } from "../../steps/proximal-gradient.js";
import type { LocalPenalty, SharedPenalty } from "../penalties/penalty.js";
import { Curator } from "../../round/curator.js";
import { runRounds } from "../../round/run.js";
import {
  certificateOf,
  UNKNOWN_GAP,
  type Check,
  type PenalizedSolution,
  type SolverOptions,
} from "./problem.js";

/** Rounds between two evaluations of the certificate: a tenth of the work at most. */
const CHECK_EVERY = 10;

/** One problem min over W = P (+ Q) of sum_i L_i(w_i) + shared(P) (+ local(Q)). */
export interface AcceleratedProblem extends SolverOptions {
  readonly shared: SharedPenalty;
  /** A second additive part of the model with its own penalty, local to each task. */
  readonly local?: LocalPenalty | undefined;
  /** Step size of every task, [m]. */
  readonly steps: Float64Array;
}

/**
 * Runs until the relative duality gap is at most `tolerance` or `maxRounds` are done; which of
 * the two is in the certificate.
 */
export async function solveAccelerated(
  problem: AcceleratedProblem,
): Promise<PenalizedSolution & { solver: ProximalGradient }> {
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
  const history: Check[] = [];
  let last: Gap = UNKNOWN_GAP;
  let penalty = NaN;
  const check = (round: number) => {
    penalty = shared.value(solver.output) + (local?.value(solver.localOutput) ?? 0);
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
