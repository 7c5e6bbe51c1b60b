/**
 * F of tasks with dense rows: every task by its Cholesky factors or Newton steps, the Hessian as a matrix.
 * @module
 */
import { scaledIdentity, solveTasks } from "../../tasks/local-solves.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { meanCurvature } from "./curvature.js";
import { MeanGap } from "./duality-gap.js";
import { leastNormSolver, sumOfRows } from "./least-norm.js";
import type { MeanProblem } from "./problem.js";

/** @param initial models to start from, [m, d]. */
export function denseMean(
  tasks: ResidentTasks,
  lambda: number,
  initial: Float64Array,
): MeanProblem {
  const { m, d, core } = tasks;
  const { arena, kernels } = core;
  const center = arena.f64(d);
  const precision = scaledIdentity(arena, d, 2 * lambda);
  const weights = arena.copyOf(initial);
  const intercepts = tasks.intercept ? arena.zeros(m) : 0;
  const losses = arena.f64(m);
  const difference = arena.f64(m * d);
  let gap: MeanGap | undefined;
  return {
    evaluate(a) {
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
    },
    newtonStep: (gradient) =>
      leastNormSolver(meanCurvature(tasks, weights, intercepts, lambda), d)(gradient),
    gap: () => (gap ??= new MeanGap(tasks, lambda)).at(weights, intercepts),
    models: () => ({ weights, intercepts }),
  };
}
