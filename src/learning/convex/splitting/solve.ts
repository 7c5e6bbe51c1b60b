/**
 * Douglas-Rachford rounds to a certificate, any shared penalty. The curator's half is that of every method; the local half
 * inverts the task's own curvature (reflected-steps.ts). Labels' losses are inverted as the quadratics that they are around the
 * models of the last evaluation: rounds then are inexact steps of Newton's method.
 * @module
 */
import { Curator } from "../../round/curator.js";
import { runRounds, timeSlice } from "../../round/run.js";
import type { JointProblem, JointSolution } from "../joint-fit.js";
import type { Gap } from "../certificates/duality-gap.js";
import { certificateOf, type Check } from "../solvers/problem.js";
import { Evaluations } from "./evaluations.js";
import { QuadraticChoice, QUADRATICS, type Quadratic } from "./quadratic-choice.js";

/** Rounds between two evaluations of the certificate, but for the first. */
const CHECK_EVERY = 8;
/**
 * Rounds after which rho is first balanced between the two halves of a round, by what the rounds since the last evaluation have
 * shown (single ones swing); then after twice as many each time.
 */
const FIRST_BALANCE = 16;
/** Largest change of rho at once, and the smallest one worth new matrices. */
const LARGEST_CHANGE = 10;
const SMALLEST_CHANGE = 2;
/** Of the median task's mean curvature: the rho to begin with, which balances the halves on standardised data. */
const FIRST_RHO = 0.3;

/**
 * Least rho of numbers, of the first one. What rounding leaves of a task's model in directions that its rows do not tell is divided by rho,
 * so that under a penalty that is nothing beside the targets models grew from round to round until they were no numbers.
 */
const LEAST_RHO = 1e-9;

const FIRST_QUADRATIC: Quadratic = { kind: QUADRATICS.keep, stiffness: 1 };
const SAME: Quadratic = { kind: QUADRATICS.same, stiffness: 1 };

/**
 * Runs until the relative duality gap is at most `tolerance` or `maxRounds` are done. The number of
 * rounds hardly depends on how ill-conditioned the tasks are.
 */
export async function solveBySplitting(problem: JointProblem): Promise<JointSolution> {
  const { core, m, d, isSquared, tolerance, maxRounds, signal } = problem;
  const steps = new Float64Array(m);
  const shared = problem.shared.curator({ core, m, d, steps });
  const curator = new Curator({ core, m, d, rule: shared.rule });
  const evaluations = new Evaluations(problem, shared);
  const history: Check[] = [];
  const pauseIfDue = timeSlice();
  let last: Gap & { readonly penalty: number };
  let rounds = 0;
  let balanceAt = FIRST_BALANCE;
  let rho = (await evaluations.typicalCurvature(signal)) * FIRST_RHO;
  let keptRho = rho;
  const leastRho = isSquared ? rho * LEAST_RHO : 0;
  let isDue = true;
  let quadratic: Quadratic = FIRST_QUADRATIC;
  const choice = isSquared ? undefined : new QuadraticChoice();
  do {
    const length = rounds === 0 ? 1 : Math.min(maxRounds, nextCheck(rounds)) - rounds;
    if (isDue) {
      steps.fill(1 / rho);
      await evaluations.begin(rho, quadratic, signal);
    }
    const done = rounds;
    rounds += await runRounds({
      participants: problem.half.stages[0]!,
      curator,
      rounds: length,
      signal,
      onRound: ({ round, ...figures }) =>
        problem.onRound?.({ ...figures, round: done + round, rounds: maxRounds }),
    });
    const isBalanced = !isSquared || rounds >= balanceAt;
    // Of labels every stretch is measured, as its quadratics are new ones.
    const measure = !isSquared || nextCheck(rounds) >= balanceAt;
    const { imbalance, ...gap } = await evaluations.evaluate(measure, signal);
    last = gap;
    history.push({ round: rounds, objective: last.objective, gap: last.relative });
    const factor = isBalanced && rounds > 1 ? change(imbalance) : 1;
    if (isBalanced && isSquared) balanceAt = 2 * rounds;
    quadratic = choice && rounds > 1 ? choice.next(last.objective, last.relative) : SAME;
    isDue = factor !== 1 || quadratic.kind !== QUADRATICS.same;
    if (quadratic.kind === QUADRATICS.back) rho = keptRho;
    else rho = Math.max(rho * factor, leastRho);
    if (quadratic.kind === QUADRATICS.keep) keptRho = rho;
    const pause = pauseIfDue();
    if (pause) await pause;
  } while (last.relative > tolerance && rounds < maxRounds);
  return {
    objective: last.objective,
    penalty: last.penalty,
    certificate: certificateOf(last, tolerance),
    rounds,
    history,
  };
}

const nextCheck = (rounds: number) => CHECK_EVERY * Math.floor(rounds / CHECK_EVERY + 1);

/** The factor by which rho, the penalty of the splitting, is to change. */
function change(imbalance: number): number {
  if (!(imbalance > 0 && imbalance < Infinity)) return 1;
  const factor = Math.sqrt(imbalance);
  if (factor < SMALLEST_CHANGE && factor > 1 / SMALLEST_CHANGE) return 1;
  return Math.min(LARGEST_CHANGE, Math.max(1 / LARGEST_CHANGE, factor));
}
