/**
 * Douglas-Rachford rounds to a certificate: squared loss, any shared penalty. The curator's half is
 * that of every method; the local half inverts the task's own curvature (local/reflected-steps.ts).
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import { DualityGap, type Gap } from "../certificates/duality-gap.js";
import { ReflectedSteps } from "./reflected-steps.js";
import type { MakePenalty, SharedPenalty } from "../penalties/penalty.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { Curator } from "../../round/curator.js";
import { runRounds } from "../../round/run.js";
import {
  certificateOf,
  UNKNOWN_GAP,
  type Check,
  type PenalizedSolution,
  type SolverOptions,
} from "./problem.js";

/**
 * Rounds of the first stage; each later one doubles what was done. rho is balanced between stages, by
 * what the last rounds of the stage have shown (single rounds swing).
 */
const FIRST_STAGE = 10;
const MEASURED = 8;
/** Rounds between two evaluations of the certificate. */
const CHECK_EVERY = 8;
/** Largest change of rho at once, and the smallest one worth new matrices. */
const LARGEST_CHANGE = 10;
const SMALLEST_CHANGE = 2;
/** The matrices of all tasks, in bytes, at most. */
const MEMORY = 2 ** 28;

/** min over W of sum_i L_i(w_i) + penalty(W), squared loss. */
export interface SplittingProblem extends SolverOptions {
  readonly penalty: MakePenalty<SharedPenalty>;
}

/** Whether the matrices of all tasks fit. */
export function splittingFits({ m, d, core }: ResidentTasks): boolean {
  const bytes = ReflectedSteps.bytes(m, d);
  return bytes <= MEMORY && core.arena.fits(bytes);
}

/** Whether they pay, too: d not much above the rows of a task. */
export function splittingPays(tasks: ResidentTasks): boolean {
  return tasks.m * tasks.d <= 4 * tasks.rows && splittingFits(tasks);
}

/**
 * Runs until the relative duality gap is at most `tolerance` or `maxRounds` are done. The number of
 * rounds hardly depends on how ill-conditioned the tasks are.
 */
export async function solveBySplitting(problem: SplittingProblem): Promise<PenalizedSolution> {
  const { tasks, start, tolerance, maxRounds } = problem;
  const { arena } = tasks.core;
  const participants = new ReflectedSteps(tasks, start.weights);
  const intercepts: Pointer = tasks.intercept ? arena.copyOf(start.intercepts) : 0;
  const history: Check[] = [];
  let last: Gap = UNKNOWN_GAP;
  let penalty = NaN;
  let rounds = 0;
  let met = false;

  const mark = arena.mark();
  let rho = participants.suggestedRho();
  let stage: Stage | undefined;
  while (!met && rounds < maxRounds) {
    if (!stage) {
      arena.release(mark);
      stage = prepare(problem, rho);
      const gradient =
        rounds === 0 ? stage.gap.gradientAt(participants.weights, intercepts) : undefined;
      participants.begin(rho, stage.shared.projection, gradient);
    }
    const { shared, gap, curator } = stage;
    const done = rounds;
    const length = Math.min(maxRounds - done, Math.max(FIRST_STAGE, done));
    rounds += await runRounds({
      participants,
      curator,
      rounds: length,
      signal: problem.signal,
      onRound: (report) =>
        problem.onRound?.({ ...report, round: done + report.round, rounds: maxRounds }),
      stop: (k) => {
        const round = done + k;
        if (k > length - MEASURED) participants.measure();
        if (round !== 1 && round % CHECK_EVERY !== 0 && round !== maxRounds) return false;
        penalty = shared.value(participants.weights);
        last = gap.at(participants.weights, intercepts, penalty);
        history.push({ round, objective: last.objective, gap: last.relative });
        return (met = last.relative <= tolerance);
      },
    });
    const factor = change(participants.imbalance());
    if (factor !== 1) stage = undefined;
    rho *= factor;
  }
  return {
    weights: participants.weights,
    intercepts,
    objective: last.objective,
    penalty,
    certificate: certificateOf(last, tolerance),
    rounds,
    history,
  };
}

/** Rounds between two changes of rho. */
interface Stage {
  readonly shared: SharedPenalty;
  readonly gap: DualityGap;
  readonly curator: Curator;
}

function prepare({ tasks, penalty }: SplittingProblem, rho: number): Stage {
  const { m, d, core } = tasks;
  const shared = penalty({ core, m, d, steps: new Float64Array(m).fill(1 / rho) });
  return {
    shared,
    gap: new DualityGap(tasks, shared.conjugate),
    curator: new Curator({ core, m, d, rule: shared.rule }),
  };
}

/** By what to multiply rho. */
function change(imbalance: number): number {
  if (!(imbalance > 0 && imbalance < Infinity)) return 1;
  const factor = Math.sqrt(imbalance);
  if (factor < SMALLEST_CHANGE && factor > 1 / SMALLEST_CHANGE) return 1;
  return Math.min(LARGEST_CHANGE, Math.max(1 / LARGEST_CHANGE, factor));
}
