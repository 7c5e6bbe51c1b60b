/**
 * min_a F(a), F(a) = sum_i min_{w,b} L_i(w, b) + lambda ||w - a||^2, by Newton's method.
 *
 * Its minimiser is the mean of the w_i there. F is convex with gradient 2 lambda sum_i (a - w_i);
 * for the squared loss it is quadratic and one step is exact up to rounding, which the next removes.
 * @module
 */
import type { Certificate } from "../../fitted/certificate.js";
import { backtrack } from "../../steps/line-search.js";
import { scaledIdentity, solveTasks } from "../../tasks/local-solves.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { timeSlice } from "../../round/run.js";
import type { SolverHooks, SolverLimits } from "../solvers/problem.js";
import { meanCurvature } from "./curvature.js";
import { MeanGap } from "./duality-gap.js";
import { leastNormSolver, sumOfRows } from "./least-norm.js";

const MOST_HALVINGS = 40;
/** Predicted decreases below this part of F are lost in the rounding of its sum. */
const INVISIBLE = 1e-12;

/** Runs Newton steps until the duality gap is met, progress ends in rounding, or `maxRounds`. */
export async function newtonOnTheMean(
  tasks: ResidentTasks,
  { lambda, tolerance, maxRounds }: SolverLimits & { readonly lambda: number },
  initial: Float64Array,
  hooks: SolverHooks,
) {
  const { m, d, core } = tasks;
  const { arena, kernels } = core;
  const center = arena.copyOf(sumOfRows(initial, m, d).map((value) => value / m));
  const precision = scaledIdentity(arena, d, 2 * lambda);
  const weights = arena.copyOf(initial);
  const intercepts = tasks.intercept ? arena.zeros(m) : 0;
  const losses = arena.f64(m);
  const difference = arena.f64(m * d);

  /** Eliminates the tasks at the centre; F and its gradient, [d]. */
  const evaluate = (a: Float64Array): { value: number; gradient: Float64Array } => {
    arena.view(center, d).set(a);
    solveTasks(tasks, { precision, center }, { weights, intercepts });
    tasks.losses(weights, intercepts, losses);
    const out = arena.view(difference, m * d);
    const w = arena.view(weights, m * d);
    for (let k = 0; k < m * d; k++) out[k] = a[k % d]! - w[k]!;
    const squares = kernels.dot(difference, difference, m * d);
    const value = arena.view(losses, m).reduce((sum, loss) => sum + loss, lambda * squares);
    const gradient = sumOfRows(out, m, d).map((entry) => 2 * lambda * entry);
    return { value, gradient };
  };

  let a = arena.view(center, d).slice();
  let { value, gradient } = evaluate(a);
  const gap = new MeanGap(tasks, lambda);
  let last = gap.at(weights, intercepts);
  const history: { round: number; objective: number; gap: number }[] = [];
  const pauseIfDue = timeSlice();
  let rounds = 0;
  while (last.relative > tolerance && rounds < maxRounds) {
    hooks.signal?.throwIfAborted();
    const solve = leastNormSolver(meanCurvature(tasks, weights, intercepts, lambda), d);
    const direction = solve(gradient);
    const decrement = direction.reduce((sum, entry, j) => sum + entry * gradient[j]!, 0);
    // Decreases that F cannot show in double precision are taken on trust; the gap then judges.
    const visible = decrement > INVISIBLE * value;
    let next = { value, gradient };
    backtrack({ value, slope: -decrement, step: 1, mostHalvings: MOST_HALVINGS }, (step) => {
      next = evaluate(a.map((entry, j) => entry - step * direction[j]!));
      return visible ? next.value : -Infinity;
    });
    a = arena.view(center, d).slice();
    ({ value, gradient } = next);
    rounds++;
    const before = last.relative;
    last = gap.at(weights, intercepts);
    history.push({ round: rounds, objective: last.objective, gap: last.relative });
    hooks.onRound?.({ round: rounds, rounds: maxRounds });
    if (!visible && !(last.relative < before)) break;
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
  return { weights, intercepts, objective, certificate, rounds, history };
}
