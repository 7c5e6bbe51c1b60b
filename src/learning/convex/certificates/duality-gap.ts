/**
 * Duality gap of min_W sum_i L_i(w_i) + Omega(W).
 *
 * Let G be the gradient of the losses at W, theta the slopes c_i loss'. Scaled by s >= 0 they have
 * the dual value -sum L*(s theta) - Omega*(-s G), a lower bound on the optimum. With `linear` =
 * <G, W> and Omega* = s^2 price up to a limit (conjugate.ts):
 *
 * - squared loss: L*(s theta) = s <g, w> + (s^2 - 2 s) L exactly, so the value is
 *   s (2 L - linear) - s^2 (L + price), maximised over 0 <= s <= limit in closed form;
 * - any loss convex and never negative: L*(s theta) <= s L*(theta) for s <= 1, as L*(0) <= 0, so the
 *   value is at least s (L - linear) - s^2 price.
 *
 * At the optimum s = 1 and the gap is zero. A free intercept b_i adds the constraint dL_i/db_i = 0,
 * met by minimising over b_i first; scaling keeps it.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import { sum } from "../../../linalg/dot.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import type { Conjugate, ConjugateTerms } from "./conjugate.js";
import { evaluatePolished } from "./intercepts.js";

/** Objective and certified distance to the optimum at one point. */
export interface Gap {
  readonly objective: number;
  /** objective - lower bound, relative to the objective. */
  readonly relative: number;
  readonly interceptResidual: number;
}

/** What a gap is made of: sums over all tasks at W. */
export interface GapTerms extends ConjugateTerms {
  /** sum_i L_i, <G, W> and Omega(W). */
  readonly loss: number;
  readonly linear: number;
  readonly penalty: number;
  readonly isSquared: boolean;
}

/** Objective and relative gap by the formulas above. */
export function gapOf(terms: GapTerms): Pick<Gap, "objective" | "relative"> {
  const { loss, linear, penalty, limit, price, isSquared } = terms;
  const [rise, bend, end] = isSquared
    ? [2 * loss - linear, loss + price, limit]
    : [loss - linear, price, Math.min(1, limit)];
  const scale = bend > 0 ? Math.min(end, Math.max(0, rise / (2 * bend))) : end;
  const objective = loss + penalty;
  // Losses and penalties are never negative, so neither is the optimum. NaN stays uncertified.
  const bound = Number.isFinite(scale) ? Math.max(0, scale * (rise - scale * bend)) : 0;
  const relative = objective === 0 ? 0 : Math.max(0, (objective - bound) / objective);
  return { objective, relative };
}

/** Evaluates gaps; its blocks are allocated once. */
export class DualityGap {
  readonly #tasks: ResidentTasks;
  readonly #conjugate: Conjugate;
  readonly #gradient: Pointer;
  readonly #interceptGradient: Pointer;
  readonly #losses: Pointer;

  constructor(tasks: ResidentTasks, conjugate: Conjugate) {
    const { arena } = tasks.core;
    this.#tasks = tasks;
    this.#conjugate = conjugate;
    this.#gradient = arena.f64(tasks.m * tasks.d);
    this.#interceptGradient = tasks.intercept ? arena.f64(tasks.m) : 0;
    this.#losses = arena.f64(tasks.m);
  }

  /**
   * @param weights W, [m, d].
   * @param intercepts b[m], moved to their minimisers given W; or 0.
   * @param penalty Omega(W); where W is a sum of parts, of the parts that were found.
   */
  at(weights: Pointer, intercepts: Pointer, penalty: number): Gap {
    const { m, d, core } = this.#tasks;
    const { kernels } = core;
    const interceptResidual = this.#gradients(weights, intercepts);
    const loss = sum(core.arena.view(this.#losses, m));
    const linear = kernels.dot(this.#gradient, weights, m * d);
    const { limit, price } = this.#conjugate(this.#gradient);
    const isSquared = this.#tasks.loss === "squared";
    return { ...gapOf({ loss, linear, penalty, limit, price, isSquared }), interceptResidual };
  }

  /** Gradient of the losses at the point evaluated last, [m, d]. */
  get gradient(): Pointer {
    return this.#gradient;
  }

  /**
   * The conjugate at the gradient of the losses in a point; `lambdaMax` takes W = 0.
   */
  conjugateAt(weights: Pointer, intercepts: Pointer): ReturnType<Conjugate> {
    this.#gradients(weights, intercepts);
    return this.#conjugate(this.#gradient);
  }

  /** Moves the intercepts to their minimisers and computes losses and gradients; returns the largest |dL_i/db_i| left. */
  #gradients(weights: Pointer, intercepts: Pointer): number {
    const [gradients, slopes, losses] = [this.#gradient, this.#interceptGradient, this.#losses];
    return evaluatePolished(this.#tasks, { weights, intercepts, gradients, slopes, losses });
  }
}
