/**
 * min_a F(a), F(a) = sum_i min_{w,b} L_i(w, b) + lambda ||w - a||^2, by Newton's method.
 *
 * Its minimiser is the mean of the w_i there. F is convex with gradient 2 lambda sum_i (a - w_i);
 * for the squared loss it is quadratic and one step is exact up to rounding, which the next removes.
 * @module
 */
import type { Certificate } from "../../fitted/certificate.js";
import { backtrack } from "../../steps/line-search.js";
import { timeSlice } from "../../round/run.js";
import type { SolverHooks, SolverLimits } from "../solvers/problem.js";
import type { MeanProblem } from "./problem.js";

const MOST_HALVINGS = 40;
/** Predicted decreases below this part of F are lost in the rounding of its sum. */
const INVISIBLE = 1e-12;

/**
 * Runs Newton steps until the duality gap is met, progress ends in rounding, or `maxRounds`.
 * @param start the mean to start from, [d].
 */
export async function newtonOnTheMean(
  problem: MeanProblem,
  start: Float64Array,
  { tolerance, maxRounds }: SolverLimits,
  hooks: SolverHooks,
) {
  let a = start;
  let { value, gradient } = problem.evaluate(a);
  let last = problem.gap();
  const history: { round: number; objective: number; gap: number }[] = [];
  const pauseIfDue = timeSlice();
  let rounds = 0;
  while (last.relative > tolerance && rounds < maxRounds) {
    hooks.signal?.throwIfAborted();
    const direction = problem.newtonStep(gradient);
    const decrement = direction.reduce((sum, entry, j) => sum + entry * gradient[j]!, 0);
    // Decreases that F cannot show in double precision are taken on trust; the gap then judges.
    const visible = decrement > INVISIBLE * value;
    const from = a;
    let next = { value, gradient };
    backtrack({ value, slope: -decrement, step: 1, mostHalvings: MOST_HALVINGS }, (step) => {
      a = from.map((entry, j) => entry - step * direction[j]!);
      next = problem.evaluate(a);
      return visible ? next.value : -Infinity;
    });
    const lower = next.value < value;
    ({ value, gradient } = next);
    rounds++;
    const before = last.relative;
    last = problem.gap();
    history.push({ round: rounds, objective: last.objective, gap: last.relative });
    hooks.onRound?.({ round: rounds, rounds: maxRounds });
    // Where F is rounding itself, as of tasks that are fitted exactly, no step lowers it, and the gap stays what it is.
    if (!(visible && lower) && !(last.relative < before)) break;
    const pause = pauseIfDue();
    if (pause) await pause;
  }
  const { objective, relative, interceptResidual } = last;
  const met = relative <= tolerance;
  const certificate: Certificate = {
    kind: "duality-gap",
    value: relative,
    tolerance,
    met,
    interceptResidual,
  };
  return { ...problem.models(), objective, certificate, rounds, history };
}
