/**
 * What each task answers of its models when the fit's thread evaluates them: what the certificate sums, to which those who answer may
 * add figures of their own; and the gradient of its loss, of which the sum of a statistic is asked.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import type { Participants } from "../round/participants.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { evaluatePolished } from "./certificates/intercepts.js";
import type { LocalPenalty } from "./penalties/penalty.js";

/** Numbers of an answer by their places. */
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

/** Answers of a batch of tasks, a row of figures for each. */
export class EvaluatedTasks {
  readonly length: number;
  /** L_i of every task when they were last evaluated, [m]. */
  readonly losses: Float64Array<ArrayBuffer>;
  /** [m, d]. */
  readonly gradient: Pointer;
  /** The gradients as a stage of their own: nobody needs them but as a sum. */
  readonly gradients: Participants;
  /** [m, length]. */
  readonly answers: Pointer;
  readonly #tasks: ResidentTasks;
  readonly #local: LocalPenalty | undefined;
  readonly #slopes: Pointer;
  readonly #lossesAt: Pointer;

  /**
   * @param figures numbers of an answer.
   * @param local   the local penalty of one task alone.
   */
  constructor(
    tasks: ResidentTasks,
    figures: number,
    { hasIntercepts, local }: { hasIntercepts: boolean; local: LocalPenalty | undefined },
  ) {
    const { core, m, d } = tasks;
    const { arena } = core;
    this.length = figures;
    this.losses = new Float64Array(m);
    this.gradient = arena.f64(m * d);
    const upload = () => this.gradient;
    this.gradients = { m, uploadLength: d, upload, receive: () => undefined };
    this.#tasks = tasks;
    this.#local = local;
    this.#slopes = hasIntercepts ? arena.f64(m) : 0;
    this.#lossesAt = arena.f64(m);
    this.answers = arena.zeros(m * this.length);
  }

  /** Puts numbers of every task, [m, count], into its figures from place `first` on. */
  place(numbers: Float64Array, count: number, first: number): void {
    const { core, m } = this.#tasks;
    const answers = core.arena.view(this.answers, m * this.length);
    for (let i = 0, from = 0, at = first; i < m; i++, at += this.length) {
      for (let k = 0; k < count; k++) answers[at + k] = numbers[from++]!;
    }
  }

  evaluate({ weights, intercepts, localPart }: EvaluatedModels): void {
    const tasks = this.#tasks;
    const { core, m, d } = tasks;
    const { arena, kernels } = core;
    evaluatePolished(tasks, {
      weights,
      intercepts,
      gradients: this.gradient,
      slopes: this.#slopes,
      losses: this.#lossesAt,
    });
    const slopes = intercepts === 0 ? undefined : arena.view(this.#slopes, m);
    this.losses.set(arena.view(this.#lossesAt, m));
    const answers = arena.view(this.answers, m * this.length);
    for (let i = 0, figures = 0; i < m; i++, figures += this.length) {
      const at = 8 * i * d;
      const gradient = this.gradient + at;
      answers[figures + EVALUATED.loss] = this.losses[i]!;
      answers[figures + EVALUATED.linear] = kernels.dot(gradient, weights + at, d);
      answers[figures + EVALUATED.interceptResidual] = slopes ? Math.abs(slopes[i]!) : 0;
      if (!this.#local) continue;
      const { limit, price } = this.#local.conjugate(gradient);
      answers[figures + EVALUATED.value] = this.#local.value(localPart + at);
      answers[figures + EVALUATED.limit] = limit;
      answers[figures + EVALUATED.price] = price;
    }
  }
}
