/**
 * Every task's ridge model with a given penalty, in batches, each with a proof from strong convexity.
 * @module
 */
import { linearModels } from "../../fitted/linear-models.js";
import { evaluatePolished } from "../../convex/certificates/intercepts.js";
import type { Batches } from "../../round/batches.js";
import type { ParticipantHalf, PublicSizes } from "../../round/halves.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import { residentBytes } from "../../tasks/resident-size.js";
import { placeTasks, type ResidentTasks } from "../../tasks/resident-tasks.js";
import { ridgeModels } from "../../tasks/solves/ridge.js";
import { provenHalf, TaskProofs } from "./proven-half.js";

/** What is asked for. */
export interface RidgeOptions extends CommonOptions {
  readonly lambda: number;
}

/** min L_i(w, b) + (lambda/2) ||w||^2 for every task: by Cholesky factors, or Newton's method. */
export function ridgeBatches(options: RidgeOptions): Batches {
  return {
    work: ({ sizes }) => ridgeWork(options, sizes),
    bytes: residentBytes,
    place({ core, data, sizes, classes }) {
      const { tasks } = placeTasks(data, options, { core, classes, sizes });
      return half(tasks, options.lambda);
    },
  };
}

/** Systems of equations by what they take of time, and multiplications of a task beside them. */
const WORK = { squared: 0.5, labels: 2, task: 5e3 } as const;

/** Products of a task's rows and a system of equations; with labels in every step of Newton's method. */
function ridgeWork({ loss }: CommonOptions, { m, d, rows }: PublicSizes): number {
  const solve = (rows * d * d) / 2 + (m * d * d * d) / 6;
  return (loss === "squared" ? WORK.squared : WORK.labels) * solve + WORK.task * m;
}

function half(tasks: ResidentTasks, lambda: number): ParticipantHalf {
  const { m, d, core } = tasks;
  const { arena, kernels } = core;
  const proofs = new TaskProofs(m);
  const weights = arena.f64(m * d);
  const intercepts = tasks.intercept ? arena.f64(m) : 0;
  // One call solves all tasks.
  // eslint-disable-next-line require-yield
  function* solve(): Generator<void, void> {
    const models = ridgeModels(tasks, lambda);
    arena.view(weights, m * d).set(models.weights);
    if (tasks.intercept) arena.view(intercepts, m).set(models.intercepts);
    const [gradient, losses] = [arena.f64(m * d), arena.f64(m)];
    const slopes = tasks.intercept ? arena.f64(m) : 0;
    evaluatePolished(tasks, { weights, intercepts, gradients: gradient, slopes, losses });
    const squares = (at: number) => kernels.dot(at, at, d);
    for (let i = 0; i < m; i++) {
      const [w, g] = [weights + 8 * i * d, gradient + 8 * i * d];
      const objective = arena.view(losses, m)[i]! + (lambda / 2) * squares(w);
      kernels.axpy(lambda, w, g, d);
      const interceptResidual = slopes === 0 ? 0 : Math.abs(arena.view(slopes, m)[i]!);
      proofs.keep(i, { objective, bound: squares(g) / (2 * lambda), interceptResidual });
    }
  }
  const models = () => linearModels(tasks, { weights, intercepts });
  return provenHalf(solve, models, proofs);
}
