/**
 * Ridge-penalised softmax regression of every task alone, in batches.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import { LinearModel } from "../../models/linear-model.js";
import type { Batches } from "../../round/batches.js";
import type { ParticipantHalf } from "../../round/halves.js";
import { Minimizer } from "../../steps/minimize.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import { splitIntercepts, withConstantColumn } from "../../tasks/constant-column.js";
import { placeTasks } from "../../tasks/resident-tasks.js";
import { residentBytes } from "../../tasks/resident-size.js";
import { provenHalf, TaskProofs } from "./proven-half.js";

/** Beyond what the certificate needs, since it is relative to the objective and this to 1 + F. */
const MARGIN = 1e-4;
const MOST_ITERATIONS = 5000;
/** About how many evaluations a task takes, and multiplications beside them by what they take of time. */
const WORK = { evaluations: 40, task: 1e5 } as const;

/** What is asked for. */
export interface SoftmaxRidgeOptions extends CommonOptions {
  readonly lambda: number;
  readonly tolerance: number;
}

/** About how many multiplications all tasks take. */
export const softmaxWork: NonNullable<Batches["work"]> = ({ sizes: { m, d, rows }, outputs }) =>
  2 * WORK.evaluations * rows * d * outputs + WORK.task * m;

/** A task's problem: min L(W) + (lambda/2) of the squares of the first `penalised` parameters. */
export interface RidgeProblem {
  readonly core: Core;
  readonly model: LinearModel;
  readonly task: number;
  readonly lambda: number;
  readonly penalised: number;
  readonly tolerance: number;
}

/** Moves the parameters at `at` to the minimum. @returns its value, and a bound on how far it is from the least. */
export function minimizeRidge(
  { core, model, task, lambda, penalised, tolerance }: RidgeProblem,
  solver: Minimizer,
  at: Pointer,
): { readonly value: number; readonly bound: number } {
  const { kernels } = core;
  const { value } = solver.minimize(
    (point, gradient) => {
      const loss = model.valueAndGradient(task, point, gradient);
      kernels.axpy(lambda, point, gradient, penalised);
      return loss + (lambda / 2) * kernels.dot(point, point, penalised);
    },
    at,
    { squaredTolerance: 2 * lambda * tolerance * MARGIN, maxIterations: MOST_ITERATIONS },
  );
  const { gradient } = solver;
  return { value, bound: kernels.dot(gradient, gradient, penalised) / (2 * lambda) };
}

/**
 * min L_i(W) + (lambda/2) ||W||_F^2 for every task by L-BFGS, with what a certificate takes from strong convexity as component
 * `PROOF`; intercepts, one per class, are not penalised. Losses are the objectives.
 */
export function softmaxBatches(options: SoftmaxRidgeOptions): Batches {
  return {
    work: softmaxWork,
    bytes: (batch) => residentBytes({ ...batch, d: batch.d + 1 }),
    place: (context) => batch(options, context),
  };
}

function batch(
  options: SoftmaxRidgeOptions,
  { core, data, sizes, classes }: Parameters<Batches["place"]>[0],
): ParticipantHalf {
  const { lambda, tolerance, intercept } = options;
  const { tasks } = placeTasks(
    intercept ? withConstantColumn(data) : data,
    { ...options, intercept: false },
    { core, classes, sizes },
  );
  const { arena } = core;
  const { m } = tasks;
  const model = new LinearModel(tasks, classes!.length);
  const size = model.parameters;
  const own = intercept ? classes!.length : 0;
  const penalised = size - own;
  const weights = arena.zeros(m * size);
  const proofs = new TaskProofs(m);
  function* solve(): Generator<void, void> {
    const solver = new Minimizer(core, size);
    for (let i = 0; i < m; i++) {
      const problem = { core, model, task: i, lambda, penalised, tolerance };
      const { value, bound } = minimizeRidge(problem, solver, weights + 8 * i * size);
      const slopes = arena.view(solver.gradient + 8 * penalised, own);
      const interceptResidual = slopes.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0);
      proofs.keep(i, { objective: value, bound, interceptResidual });
      yield;
    }
  }
  const models = () => splitIntercepts(arena.view(weights, m * size).slice(), m, own);
  return provenHalf(solve, models, proofs);
}
