/**
 * What the fit's thread asks of the tasks between rounds: each answers for itself, and the sums are taken there, in the order
 * of tasks.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { Participants } from "../../round/participants.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { polishIntercepts } from "../certificates/intercepts.js";
import type { LocalPenalty } from "../penalties/penalty.js";
import type { Quadratics } from "./quadratics.js";
import { QUADRATICS } from "./quadratic-choice.js";
import { RESIDUALS } from "./reflected-part.js";
import type { ReflectedSteps } from "./reflected-steps.js";

/** open: where to start; begin: rounds with this rho; evaluate: the models of the last round. */
export const ASK = { open: 0, begin: 1, evaluate: 2 } as const;

/** A question: which, rho, of which quadratics (`QUADRATICS`) and how stiff, and 0 or 1: whether the next rounds are measured. */
export const QUESTION_LENGTH = 5;

/** Numbers beside the gradient in an answer, by their places after it. */
export const FIGURES = {
  loss: 0,
  /** <gradient, w>. */
  linear: 1,
  interceptResidual: 2,
  /** The mean curvature of its quadratic. */
  curvature: 3,
  /** Of the local penalty: its value, and its conjugate's terms. */
  value: 4,
  limit: 5,
  price: 6,
  residuals: 7,
} as const;

/** How many. */
export const FIGURES_LENGTH = FIGURES.residuals + RESIDUALS;

/** Who answers. */
export interface AnsweringTasks {
  readonly tasks: ResidentTasks;
  readonly steps: ReflectedSteps;
  readonly quadratics: Quadratics;
  /** b[m], moved to their minimisers by `open` and `evaluate`; 0 without intercepts. */
  readonly intercepts: Pointer;
  /** Where the intercepts of models that are kept lie, or 0. */
  readonly kept: Pointer;
  /** The local penalty of one task alone. */
  readonly local: LocalPenalty | undefined;
  /** 1 / rho of every task, [m], for the local penalty. */
  readonly stepSizes: Float64Array;
}

/** Answers, a row for each task: the gradient of its loss, and figures. */
export class Questions implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  /** L_i of every task when they were last evaluated, [m]. */
  readonly losses: Float64Array<ArrayBuffer>;
  readonly #of: AnsweringTasks;
  readonly #gradient: Pointer;
  readonly #slopes: Pointer;
  readonly #lossesAt: Pointer;
  readonly #answers: Pointer;
  #opened = false;

  constructor(of: AnsweringTasks) {
    const { m, d, core } = of.tasks;
    const { arena } = core;
    this.m = m;
    this.uploadLength = d + FIGURES_LENGTH;
    this.losses = new Float64Array(m);
    this.#of = of;
    this.#gradient = arena.f64(m * d);
    this.#slopes = of.intercepts === 0 ? 0 : arena.f64(m);
    this.#lossesAt = arena.f64(m);
    this.#answers = arena.zeros(m * this.uploadLength);
  }

  receive(question: Pointer): void {
    const { steps, tasks, stepSizes } = this.#of;
    const [ask, rho, kind, stiffness, measures] = tasks.core.arena.view(question, QUESTION_LENGTH);
    if (ask === ASK.begin) {
      this.#around(kind!, stiffness!);
      stepSizes.fill(1 / rho!);
      steps.begin(rho!, this.#opened ? this.#gradient : 0);
      this.#opened = false;
    } else {
      this.#evaluate();
      if (ask === ASK.open) this.#open();
      steps.measures = measures === 1;
    }
  }

  /** Takes quadratics of that kind, and keeps the models or goes back to those that were kept. */
  #around(kind: number, stiffness: number): void {
    const { steps, quadratics, intercepts, tasks, kept } = this.#of;
    if (kind === QUADRATICS.same || tasks.loss === "squared") return;
    if (kind === QUADRATICS.back) steps.restore();
    else if (kind === QUADRATICS.keep) steps.keep();
    if (intercepts !== 0 && kind !== QUADRATICS.around) {
      const { arena } = tasks.core;
      const [from, to] = kind === QUADRATICS.back ? [kept, intercepts] : [intercepts, kept];
      arena.view(to, this.m).set(arena.view(from, this.m));
    }
    quadratics.around(steps.weights, intercepts, stiffness);
  }

  upload(): Pointer {
    return this.#answers;
  }

  #open(): void {
    const { steps, quadratics, intercepts } = this.#of;
    quadratics.around(steps.weights, intercepts, 1);
    steps.curvatures().forEach((curvature, i) => {
      this.#row(i)[FIGURES.curvature] = curvature;
    });
    this.#opened = true;
  }

  /** Task i's figures. */
  #row(i: number): Float64Array {
    const { core, d } = this.#of.tasks;
    return core.arena.view(this.#answers + 8 * (i * this.uploadLength + d), FIGURES_LENGTH);
  }

  #evaluate(): void {
    const { tasks, steps, intercepts, local } = this.#of;
    const { core, m, d } = tasks;
    const { arena, kernels } = core;
    const weights = steps.weights;
    const gradients = () => {
      tasks.gradients(weights, intercepts, this.#gradient, this.#slopes, this.#lossesAt);
    };
    gradients();
    if (intercepts !== 0) polishIntercepts(core, m, intercepts, this.#slopes, gradients);
    const slopes = intercepts === 0 ? undefined : arena.view(this.#slopes, m);
    this.losses.set(arena.view(this.#lossesAt, m));
    const residuals = steps.takeResiduals();
    for (let i = 0; i < m; i++) {
      const at = 8 * i * d;
      const gradient = this.#gradient + at;
      const answer = this.#answers + 8 * i * this.uploadLength;
      arena.view(answer, d).set(arena.view(gradient, d));
      const row = this.#row(i);
      row[FIGURES.loss] = this.losses[i]!;
      row[FIGURES.linear] = kernels.dot(gradient, weights + at, d);
      row[FIGURES.interceptResidual] = slopes ? Math.abs(slopes[i]!) : 0;
      if (local) {
        const { limit, price } = local.conjugate(gradient);
        row[FIGURES.value] = local.value(steps.parts.local + at);
        [row[FIGURES.limit], row[FIGURES.price]] = [limit, price];
      }
      row.set(residuals.subarray(i * RESIDUALS, (i + 1) * RESIDUALS), FIGURES.residuals);
    }
  }
}
