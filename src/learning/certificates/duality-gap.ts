/**
 * Duality gap of min_W sum_i L_i(w_i) + lambda Omega(W) for a norm Omega.
 *
 * Let G be the gradient of the losses at W, and D(G) the dual norm of Omega. For s =
 * min(1, lambda / D(G)) the scaled loss derivatives are dual feasible, and as the conjugate of the
 * loss is convex and zero at zero, the dual value is at least s sum_i (L_i - <g_i, w_i>). At the
 * optimum s = 1 and the gap is zero; it holds for every convex loss alike.
 *
 * A free intercept b_i adds the constraint dL_i/db_i = 0, met by minimising over b_i first.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { polishIntercepts } from "./intercepts.js";

/** The dual norm D(G) of a penalty, divided by its lambda, for G[m,d] in the core's memory. */
export type DualRatio = (gradient: Pointer) => number;

/** Objective and certified distance to the optimum at one point. */
export interface Gap {
  readonly objective: number;
  /** objective - lower bound, relative to the objective. */
  readonly relative: number;
  readonly interceptResidual: number;
}

/** Evaluates gaps; its blocks are allocated once. */
export class DualityGap {
  readonly #tasks: ResidentTasks;
  readonly #dualRatio: DualRatio;
  readonly #gradient: Pointer;
  readonly #interceptGradient: Pointer;
  readonly #losses: Pointer;

  constructor(tasks: ResidentTasks, dualRatio: DualRatio) {
    const { arena } = tasks.core;
    this.#tasks = tasks;
    this.#dualRatio = dualRatio;
    this.#gradient = arena.f64(tasks.m * tasks.d);
    this.#interceptGradient = tasks.intercept ? arena.f64(tasks.m) : 0;
    this.#losses = arena.f64(tasks.m);
  }

  /**
   * @param weights W, [m, d].
   * @param intercepts b[m], moved to their minimisers given W; or 0.
   * @param penalty lambda Omega(W).
   */
  at(weights: Pointer, intercepts: Pointer, penalty: number): Gap {
    const { m, d, core } = this.#tasks;
    const { arena, kernels } = core;
    const gradients = () => {
      this.#tasks.gradients(
        weights,
        intercepts,
        this.#gradient,
        this.#interceptGradient,
        this.#losses,
      );
    };
    gradients();
    let interceptResidual = 0;
    if (intercepts !== 0) {
      interceptResidual = polishIntercepts(core, m, intercepts, this.#interceptGradient, gradients);
    }
    const loss = sum(arena.view(this.#losses, m));
    const linear = kernels.dot(this.#gradient, weights, m * d);
    const scale = Math.min(1, 1 / this.#dualRatio(this.#gradient));
    const objective = loss + penalty;
    const bound = Math.max(0, scale * (loss - linear)); // losses and penalties are never negative
    const relative = objective === 0 ? 0 : Math.max(0, (objective - bound) / objective);
    return { objective, relative, interceptResidual };
  }
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
