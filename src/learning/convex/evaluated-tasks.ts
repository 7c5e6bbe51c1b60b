/**
 * What each task answers of its models when the fit's thread evaluates them: the gradient of its loss, and what the certificate
 * sums, to which those who answer may add figures of their own.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { polishIntercepts } from "./certificates/intercepts.js";
import type { LocalPenalty } from "./penalties/penalty.js";

/** Numbers of an answer by their places after the gradient. */
export const EVALUATED = {
  loss: 0,
  /** <gradient, w>. */
  linear: 1,
  interceptResidual: 2,
  /** Of the local penalty: its value, and its conjugate's terms. */
  value: 3,
  limit: 4,
  price: 5,
} as const;

/** How many: the place of the first figure that is somebody's own. */
export const EVALUATED_LENGTH = 6;

/** Where the models lie that are evaluated. */
export interface EvaluatedModels {
  readonly weights: Pointer;
  /** b[m], moved to their minimisers; 0 without intercepts. */
  readonly intercepts: Pointer;
  /** The part of the local penalty, [m, d]; not read without one. */
  readonly localPart: Pointer;
}

/** Answers of a batch of tasks, a row for each: its gradient, then its figures. */
export class EvaluatedTasks {
  readonly length: number;
  /** L_i of every task when they were last evaluated, [m]. */
  readonly losses: Float64Array<ArrayBuffer>;
  readonly gradient: Pointer;
  /** [m, length]. */
  readonly answers: Pointer;
  readonly #tasks: ResidentTasks;
  readonly #local: LocalPenalty | undefined;
  readonly #figures: number;
  readonly #slopes: Pointer;
  readonly #lossesAt: Pointer;

  /**
   * @param figures numbers beside a gradient.
   * @param local   the local penalty of one task alone.
   */
  constructor(
    tasks: ResidentTasks,
    figures: number,
    { hasIntercepts, local }: { hasIntercepts: boolean; local: LocalPenalty | undefined },
  ) {
    const { core, m, d } = tasks;
    const { arena } = core;
    this.length = d + figures;
    this.losses = new Float64Array(m);
    this.gradient = arena.f64(m * d);
    this.#tasks = tasks;
    this.#local = local;
    this.#figures = figures;
    this.#slopes = hasIntercepts ? arena.f64(m) : 0;
    this.#lossesAt = arena.f64(m);
    this.answers = arena.zeros(m * this.length);
  }

  /** Task i's figures. */
  figures(i: number): Float64Array {
    const { core, d } = this.#tasks;
    return core.arena.view(this.answers + 8 * (i * this.length + d), this.#figures);
  }

  evaluate({ weights, intercepts, localPart }: EvaluatedModels): void {
    const tasks = this.#tasks;
    const { core, m, d } = tasks;
    const { arena, kernels } = core;
    const gradients = () => {
      tasks.gradients(weights, intercepts, this.gradient, this.#slopes, this.#lossesAt);
    };
    gradients();
    if (intercepts !== 0) polishIntercepts(core, m, intercepts, this.#slopes, gradients);
    const slopes = intercepts === 0 ? undefined : arena.view(this.#slopes, m);
    this.losses.set(arena.view(this.#lossesAt, m));
    for (let i = 0; i < m; i++) {
      const at = 8 * i * d;
      const gradient = this.gradient + at;
      arena.view(this.answers + 8 * i * this.length, d).set(arena.view(gradient, d));
      const figures = this.figures(i);
      figures[EVALUATED.loss] = this.losses[i]!;
      figures[EVALUATED.linear] = kernels.dot(gradient, weights + at, d);
      figures[EVALUATED.interceptResidual] = slopes ? Math.abs(slopes[i]!) : 0;
      if (!this.#local) continue;
      const { limit, price } = this.#local.conjugate(gradient);
      figures[EVALUATED.value] = this.#local.value(localPart + at);
      [figures[EVALUATED.limit], figures[EVALUATED.price]] = [limit, price];
    }
  }
}
