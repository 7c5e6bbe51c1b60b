/**
 * Ridge-penalised softmax regression of every task alone.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import { gradientCertificate } from "../fitted/certificate.js";
import { splitIntercepts, withConstantColumn } from "../tasks/constant-column.js";
import { LinearModel } from "../models/linear-model.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { Minimizer } from "../steps/minimize.js";
import { modelOf, type FitRecord } from "../fitted/build-model.js";
import { placeTasks } from "../tasks/resident-tasks.js";
import type { CommonOptions } from "../tasks/common-options.js";
import type { FitOptions } from "../round/estimator.js";

/** Beyond what the certificate needs, since it is relative to the objective and this to 1 + F. */
const MARGIN = 1e-4;
const MOST_ITERATIONS = 5000;

/**
 * min L_i(W) + (lambda/2) ||W||_F^2 for every task by L-BFGS, with a certificate from strong
 * convexity; intercepts, one per class, are not penalised.
 */
export function fitSoftmaxRidge(
  data: TaskSet,
  options: CommonOptions & { readonly lambda: number; readonly tolerance: number },
  record: Pick<FitRecord, "method" | "guarantee">,
  { signal }: FitOptions,
): FittedModel {
  const { lambda, tolerance, intercept } = options;
  const placed = placeTasks(intercept ? withConstantColumn(data) : data, {
    ...options,
    intercept: false,
  });
  const { tasks, classes } = placed;
  const { m, core } = tasks;
  const { arena, kernels } = core;
  const model = new LinearModel(tasks, classes!.length);
  const size = model.parameters;
  const own = intercept ? classes!.length : 0;
  const penalised = size - own;
  const solver = new Minimizer(core, size);
  const weights = arena.zeros(m * size);
  let [objective, bound, interceptResidual] = [0, 0, 0];
  for (let i = 0; i < m; i++) {
    signal?.throwIfAborted();
    const minimum = solver.minimize(
      (at, gradient) => {
        const loss = model.valueAndGradient(i, at, gradient);
        kernels.axpy(lambda, at, gradient, penalised);
        return loss + (lambda / 2) * kernels.dot(at, at, penalised);
      },
      weights + 8 * i * size,
      { squaredTolerance: 2 * lambda * tolerance * MARGIN, maxIterations: MOST_ITERATIONS },
    );
    objective += minimum.value;
    bound += kernels.dot(solver.gradient, solver.gradient, penalised) / (2 * lambda);
    for (const slope of arena.view(solver.gradient + 8 * penalised, own)) {
      interceptResidual = Math.max(interceptResidual, Math.abs(slope));
    }
  }
  const certificate = gradientCertificate(bound, { objective, tolerance, interceptResidual });
  const models = splitIntercepts(arena.view(weights, m * size).slice(), m, own);
  return modelOf(data, classes, models, {
    ...record,
    options,
    ledger: null,
    objective,
    certificate,
    rounds: 0,
    history: [],
  });
}
