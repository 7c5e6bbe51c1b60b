/**
 * What the fit's thread asks of tasks that descend: each answers for itself, and sums are taken there, in the order of tasks.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { Participants } from "../../round/participants.js";
import { polishIntercepts } from "../certificates/intercepts.js";
import type { LocalPenalty } from "../penalties/penalty.js";
import type { Descent, DescentSteps } from "./steps.js";

/** open: how smooth the losses are; begin: steps of this size; evaluate: the models of the last round. */
export const ASK = { open: 0, begin: 1, evaluate: 2 } as const;

/** A question: which, and the size of steps. */
export const QUESTION_LENGTH = 2;

/** Numbers beside the gradient in an answer, by their places after it. */
export const FIGURES = {
  loss: 0,
  /** <gradient, w>. */
  linear: 1,
  interceptResidual: 2,
  /** Of the gradient, asked for by `open`. */
  smoothness: 3,
  /** Of the local penalty: its value, and its conjugate's terms. */
  value: 4,
  limit: 5,
  price: 6,
} as const;

/** How many. */
export const FIGURES_LENGTH = 7;

/** How far every task's last move went against its momentum, [m, 1], of whoever is asked after a round. */
export class Angles implements Participants {
  readonly m: number;
  readonly uploadLength = 1;
  readonly #steps: DescentSteps;

  constructor(steps: DescentSteps) {
    this.m = steps.m;
    this.#steps = steps;
  }

  receive(): void {
    // The rounds have left them.
  }

  upload(): Pointer {
    return this.#steps.angles;
  }
}

/** Answers, a row for each task: the gradient of its loss, and figures. */
export class DescentQuestions implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  /** L_i of every task when they were last evaluated, [m]. */
  readonly losses: Float64Array<ArrayBuffer>;
  readonly #descent: Descent;
  readonly #steps: DescentSteps;
  /** The local penalty of one task alone. */
  readonly #local: LocalPenalty | undefined;
  readonly #gradient: Pointer;
  readonly #slopes: Pointer;
  readonly #lossesAt: Pointer;
  readonly #answers: Pointer;

  constructor(descent: Descent, steps: DescentSteps) {
    const { core, m, d, intercept } = descent.tasks;
    const { arena } = core;
    this.m = m;
    this.uploadLength = d + FIGURES_LENGTH;
    this.losses = new Float64Array(m);
    this.#descent = descent;
    this.#steps = steps;
    this.#local = descent.local?.({ core, m: 1, d, steps: new Float64Array(1) });
    this.#gradient = arena.f64(m * d);
    this.#slopes = intercept ? arena.f64(m) : 0;
    this.#lossesAt = arena.f64(m);
    this.#answers = arena.zeros(m * this.uploadLength);
  }

  receive(question: Pointer): void {
    const { tasks } = this.#descent;
    const [ask, size] = tasks.core.arena.view(question, QUESTION_LENGTH);
    if (ask === ASK.begin) this.#steps.begin(size!);
    else if (ask === ASK.evaluate) this.#evaluate();
    else tasks.smoothness().forEach((most, i) => (this.#figures(i)[FIGURES.smoothness] = most));
  }

  upload(): Pointer {
    return this.#answers;
  }

  #figures(i: number): Float64Array {
    const { core, d } = this.#descent.tasks;
    return core.arena.view(this.#answers + 8 * (i * this.uploadLength + d), FIGURES_LENGTH);
  }

  #evaluate(): void {
    const { tasks } = this.#descent;
    const { core, m, d } = tasks;
    const { arena, kernels } = core;
    const { weights, intercepts, localOutput } = this.#steps.solver;
    const gradients = () => {
      tasks.gradients(weights, intercepts, this.#gradient, this.#slopes, this.#lossesAt);
    };
    gradients();
    if (intercepts !== 0) polishIntercepts(core, m, intercepts, this.#slopes, gradients);
    const slopes = intercepts === 0 ? undefined : arena.view(this.#slopes, m);
    this.losses.set(arena.view(this.#lossesAt, m));
    for (let i = 0; i < m; i++) {
      const at = 8 * i * d;
      const gradient = this.#gradient + at;
      arena.view(this.#answers + 8 * i * this.uploadLength, d).set(arena.view(gradient, d));
      const figures = this.#figures(i);
      figures[FIGURES.loss] = this.losses[i]!;
      figures[FIGURES.linear] = kernels.dot(gradient, weights + at, d);
      figures[FIGURES.interceptResidual] = slopes ? Math.abs(slopes[i]!) : 0;
      if (!this.#local) continue;
      const { limit, price } = this.#local.conjugate(gradient);
      figures[FIGURES.value] = this.#local.value(localOutput + at);
      [figures[FIGURES.limit], figures[FIGURES.price]] = [limit, price];
    }
  }
}
