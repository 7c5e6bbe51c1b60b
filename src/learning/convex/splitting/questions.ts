/**
 * What the fit's thread asks of the tasks between rounds: each answers for itself, and the sums are taken there, in the order
 * of tasks.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { Participants } from "../../round/participants.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { EVALUATED, EVALUATED_LENGTH, EvaluatedTasks } from "../evaluated-tasks.js";
import type { LocalPenalty } from "../penalties/penalty.js";
import type { Quadratics } from "./quadratics.js";
import { QUADRATICS } from "./quadratic-choice.js";
import { RESIDUALS } from "./reflected-part.js";
import type { ReflectedSteps } from "./reflected-steps.js";

/** open: where to start; begin: rounds with this rho; evaluate: the models of the last round. */
export const ASK = { open: 0, begin: 1, evaluate: 2 } as const;

/** A question: which, rho, of which quadratics (`QUADRATICS`) and how stiff, and 0 or 1: whether the next rounds are measured. */
export const QUESTION_LENGTH = 5;

/** Numbers of an answer, by their places. */
export const FIGURES = {
  ...EVALUATED,
  /** The mean curvature of its quadratic. */
  curvature: EVALUATED_LENGTH,
  residuals: EVALUATED_LENGTH + 1,
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

/** Answers, a row of figures for each task. */
export class Questions implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  readonly #of: AnsweringTasks;
  readonly #evaluated: EvaluatedTasks;
  #opened = false;

  constructor(of: AnsweringTasks) {
    const { tasks, intercepts, local } = of;
    this.m = tasks.m;
    this.#of = of;
    const hasIntercepts = intercepts !== 0;
    this.#evaluated = new EvaluatedTasks(tasks, FIGURES_LENGTH, { hasIntercepts, local });
    this.uploadLength = this.#evaluated.length;
  }

  /** L_i of every task when they were last evaluated, [m]. */
  get losses(): Float64Array<ArrayBuffer> {
    return this.#evaluated.losses;
  }

  receive(question: Pointer): void {
    const { steps, tasks, stepSizes } = this.#of;
    const [ask, rho, kind, stiffness, measures] = tasks.core.arena.view(question, QUESTION_LENGTH);
    if (ask === ASK.begin) {
      this.#around(kind!, stiffness!);
      stepSizes.fill(1 / rho!);
      steps.begin(rho!, this.#opened ? this.#evaluated.gradient : 0);
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

  /** Of the losses when they were last evaluated. */
  get gradients(): Participants {
    return this.#evaluated.gradients;
  }

  upload(): Pointer {
    return this.#evaluated.answers;
  }

  #open(): void {
    const { steps, quadratics, intercepts } = this.#of;
    quadratics.around(steps.weights, intercepts, 1);
    this.#evaluated.place(steps.curvatures(), 1, FIGURES.curvature);
    this.#opened = true;
  }

  #evaluate(): void {
    const { steps, intercepts } = this.#of;
    const { weights } = steps;
    this.#evaluated.evaluate({ weights, intercepts, localPart: steps.parts.local });
    const { residuals } = steps;
    this.#evaluated.place(residuals, RESIDUALS, FIGURES.residuals);
    residuals.fill(0);
  }
}
