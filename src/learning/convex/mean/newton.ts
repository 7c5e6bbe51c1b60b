/**
 * min_a F(a), F(a) = sum_i min_{w,b} L_i(w, b) + lambda ||w - a||^2, by Newton's method.
 *
 * Its minimiser is the mean of the w_i there. F is convex with gradient 2 lambda sum_i (a - w_i);
 * for the squared loss it is quadratic and one step is exact up to rounding, which the next removes.
 * @module
 */
import { isEnough } from "../../steps/line-search.js";
import { timeSlice } from "../../round/run.js";
import { certificateOf, type Check, type SolverHooks, type SolverLimits } from "../solvers/problem.js"; // prettier-ignore
import type { MeanProblem } from "./problem.js";

const MOST_HALVINGS = 40;
/** Predicted decreases below this part of F are lost in the rounding of its sum. */
const INVISIBLE = 1e-12;

/**
 * Runs Newton steps until the duality gap is met, progress ends in rounding, it is proven that there is no minimiser, or `maxRounds`; the models are with the problem.
 * @param start the mean to start from, [d].
 */
export async function newtonOnTheMean(
  problem: MeanProblem,
  start: Float64Array,
  { tolerance, maxRounds }: SolverLimits,
  hooks: SolverHooks,
) {
  let a = start;
  let { value, gradient } = await problem.evaluate(a);
  const first = value;
  let last = await problem.gap();
  const history: Check[] = [];
  const pauseIfDue = timeSlice();
  let rounds = 0;
  while (last.relative > tolerance && rounds < maxRounds && !problem.unbounded) {
    hooks.signal?.throwIfAborted();
    const direction = await problem.newtonStep(gradient);
    const decrement = direction.reduce((sum, entry, j) => sum + entry * gradient[j]!, 0);
    // Decreases that F cannot show in double precision are taken on trust; the gap then judges.
    const visible = decrement > INVISIBLE * value;
    const from = a;
    let next;
    for (let halvings = 0, step = 1; halvings <= MOST_HALVINGS; halvings++, step /= 2) {
      a = from.map((entry, j) => entry - step * direction[j]!);
      next = await problem.evaluate(a);
      if (!visible || isEnough({ value, slope: -decrement }, step, next.value)) break;
    }
    const lower = next!.value < value;
    ({ value, gradient } = next!);
    rounds++;
    const before = last.relative;
    last = await problem.gap();
    history.push({ round: rounds, objective: last.objective, gap: last.relative });
    hooks.onRound?.({ round: rounds, rounds: maxRounds });
    // Where F is rounding itself, as of tasks that are fitted exactly, no step lowers it, and the gap stays what it is. Where
    // labels are told apart without an error F has no minimiser: it falls by a factor a step without end, and the gap stays, too.
    const worthwhile = visible && lower && decrement > INVISIBLE * first;
    if (!worthwhile && !(last.relative < before)) break;
    const pause = pauseIfDue();
    if (pause) await pause;
  }
  const { objective } = last;
  const certificate = certificateOf(last, tolerance);
  return {
    objective,
    rounds,
    history,
    certificate: problem.unbounded ? { ...certificate, noMinimiser: true as const } : certificate,
  };
}
