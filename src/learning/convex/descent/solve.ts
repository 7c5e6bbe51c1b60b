/**
 * Accelerated proximal gradient to a certificate, its tasks on one thread or on several: `solveAccelerated`, but for the order in which
 * the angle of all tasks, and what the certificate sums, are added: task by task.
 * @module
 */
import { Curator } from "../../round/curator.js";
import { timeSlice } from "../../round/run.js";
import type { Gap } from "../certificates/duality-gap.js";
import type { JointProblem, JointSolution } from "../joint-fit.js";
import { certificateOf, UNKNOWN_GAP, type Check } from "../solvers/problem.js";
import { DescendingTasks } from "./asked.js";

/** Rounds between two evaluations of the certificate: a tenth of the work at most. */
const CHECK_EVERY = 10;

/** Runs until the relative duality gap is at most `tolerance` or `maxRounds` are done; the models are in the half. */
export async function solveByDescent(problem: JointProblem): Promise<JointSolution> {
  const { core, m, d, tolerance, maxRounds, signal, onRound } = problem;
  const tasks = new DescendingTasks(problem);
  const steps = new Float64Array(m).fill(await tasks.commonStep());
  const shared = problem.shared.curator({ core, m, d, steps });
  const curator = new Curator({ core, m, d, rule: shared.rule });
  await tasks.begin(steps[0]!);
  const history: Check[] = [];
  const pauseIfDue = timeSlice();
  let last: Gap & { readonly penalty: number } = { ...UNKNOWN_GAP, penalty: NaN };
  let [round, restarted] = [0, 0];
  do {
    round++;
    signal?.throwIfAborted();
    const figures = await tasks.round(curator, round);
    // Of the momentum that starts over after a round, as `restartedMomentum` has it.
    const beta = (round - restarted - 1) / (round - restarted + 2);
    const isLast = round === maxRounds;
    tasks.step(curator.broadcast, { round, beta, isLast });
    onRound?.({ round, rounds: maxRounds, ...figures });
    if (round > 1 && !isLast && (await tasks.angle(round)) > 0) {
      restarted = round - 1;
      await tasks.stepAgain(round);
    }
    if (round === 1 || round % CHECK_EVERY === 0 || isLast) {
      last = await tasks.evaluate(shared);
      history.push({ round, objective: last.objective, gap: last.relative });
    }
    const pause = pauseIfDue();
    if (pause) await pause;
  } while (!(last.relative <= tolerance) && round < maxRounds);
  return {
    ...{ objective: last.objective, penalty: last.penalty },
    ...{ certificate: certificateOf(last, tolerance), rounds: round, history },
  };
}
