/**
 * One task's lasso, to a duality gap.
 * @module
 */
import { DualityGap } from "../../convex/certificates/duality-gap.js";
import { l1Penalty } from "../../convex/penalties/local.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { LassoColumns } from "./lasso-columns.js";
import { stepLasso } from "./lasso-step.js";
import type { PlacedModels } from "../../tasks/local-models.js";

/** What is asked for. */
export interface LassoTask {
  readonly lambda: number;
  /** Relative duality gap. */
  readonly tolerance: number;
  /** Most sweeps over the features. */
  readonly maxRounds: number;
}

/** Where it stopped. */
export interface LassoSolution {
  readonly objective: number;
  /** On the distance to the optimum. */
  readonly bound: number;
  readonly interceptResidual: number;
  readonly sweeps: number;
}

/** Of the tolerance: a gap is a small multiple of the largest violation of the optimality conditions. */
const VIOLATION = 1 / 8;
/** Steps without progress after which rounding is all that is left. */
const BARREN = 10;

/**
 * Moves the model to min L(w, b) + lambda ||w||_1. What it puts into the core is the caller's to release.
 * @param task one, dense.
 * @param at the start and the result, w[d] and b[1] or 0.
 */
export function solveLasso(
  task: ResidentTasks,
  { lambda, tolerance, maxRounds }: LassoTask,
  at: PlacedModels,
): LassoSolution {
  const { core, d } = task;
  const { arena } = core;
  const penalty = l1Penalty(lambda)({ core, m: 1, d, steps: Float64Array.of(1) });
  const gap = new DualityGap(task, penalty.conjugate);
  const check = () => gap.at(at.weights, at.intercepts, penalty.value(at.weights));
  const columns = new LassoColumns(d);
  let [now, sweeps, barren] = [check(), 0, 0];
  const least = { relative: now.relative, objective: now.objective };
  while (!(now.relative <= tolerance) && sweeps < maxRounds && barren < BARREN) {
    const { gradient } = gap;
    columns.grow(arena.view(at.weights, d), arena.view(gradient, d), lambda);
    const mark = arena.mark();
    const limits = { violation: tolerance * VIOLATION, sweeps: maxRounds - sweeps };
    const point = { task, lambda, at, gradient, objective: now.objective };
    sweeps += stepLasso(point, columns.chosen, limits);
    arena.release(mark);
    now = check();
    const better = now.relative < least.relative || now.objective < least.objective;
    barren = better ? 0 : barren + 1;
    least.relative = Math.min(least.relative, now.relative);
    least.objective = Math.min(least.objective, now.objective);
  }
  const { objective, relative, interceptResidual } = now;
  return { objective, bound: relative * objective, interceptResidual, sweeps };
}
