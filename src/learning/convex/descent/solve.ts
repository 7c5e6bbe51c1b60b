/**
 * Accelerated proximal gradient to a certificate, its tasks on one thread or on several: `solveAccelerated`, but for the order in which
 * the angle of all tasks, and what the certificate sums, are added: task by task.
 * @module
 */
import { Curator } from "../../round/curator.js";
import { timeSlice } from "../../round/run.js";
import { restartedMomentum } from "../../steps/momentum.js";
import type { JointProblem, JointSolution } from "../joint-fit.js";
import type { TaskCertificate } from "../task-answers.js";
import { certificateOf, CHECK_EVERY, UNKNOWN_GAP, type Check } from "../solvers/problem.js";
import { DescendingTasks } from "./asked.js";

/** Runs until the relative duality gap is at most `tolerance` or `maxRounds` are done; the models are in the half. */
export async function solveByDescent(problem: JointProblem): Promise<JointSolution> {
  const { core, m, d, tolerance, maxRounds, signal, onRound } = problem;
  const tasks = new DescendingTasks(problem);
  const steps = new Float64Array(m).fill(await tasks.commonStep());
  const shared = problem.shared.curator({ core, m, d, steps });
  const curator = new Curator({ core, m, d, rule: shared.rule });
  await tasks.begin(steps[0]!);
  const history: Check[] = [];
  const momentum = restartedMomentum();
  const pauseIfDue = timeSlice();
  let last: TaskCertificate = { ...UNKNOWN_GAP, penalty: NaN };
  let round = 0;
  do {
    round++;
    signal?.throwIfAborted();
    const figures = await tasks.round(curator, round);
    const beta = momentum.beta(round);
    const isLast = round === maxRounds;
    tasks.step(curator.broadcast, { round, beta, isLast });
    onRound?.({ round, rounds: maxRounds, ...figures });
    if (round > 1 && !isLast && (await tasks.angle(round)) > 0) {
      momentum.restart?.(round);
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
    objective: last.objective,
    penalty: last.penalty,
    certificate: certificateOf(last, tolerance),
    rounds: round,
    history,
  };
}
