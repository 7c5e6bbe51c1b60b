/**
 * What the fit's thread asks of tasks that descend: each answers for itself, and sums are taken there, in the order of tasks.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { Participants } from "../../round/participants.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { EVALUATED, EVALUATED_LENGTH, EvaluatedTasks } from "../evaluated-tasks.js";
import type { Descent, DescentSteps } from "./steps.js";

/** open: how smooth the losses are; begin: steps of this size; evaluate: the models of the last round. */
export const ASK = { open: 0, begin: 1, evaluate: 2 } as const;

/** A question: which, and the size of steps. */
export const QUESTION_LENGTH = 2;

/** Numbers of an answer, by their places. */
export const FIGURES = {
  ...EVALUATED,
  /** Of the loss, asked for by `open`. */
  smoothness: EVALUATED_LENGTH,
} as const;

/** How many. */
export const FIGURES_LENGTH = EVALUATED_LENGTH + 1;

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

/** Answers, a row of figures for each task. */
export class DescentQuestions implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  readonly #tasks: ResidentTasks;
  readonly #steps: DescentSteps;
  readonly #evaluated: EvaluatedTasks;

  constructor({ tasks, local }: Descent, steps: DescentSteps) {
    const { core, m, d, intercept } = tasks;
    this.m = m;
    this.#tasks = tasks;
    this.#steps = steps;
    this.#evaluated = new EvaluatedTasks(tasks, FIGURES_LENGTH, {
      hasIntercepts: intercept,
      local: local?.({ core, m: 1, d, steps: new Float64Array(1) }),
    });
    this.uploadLength = this.#evaluated.length;
  }

  receive(question: Pointer): void {
    const tasks = this.#tasks;
    const evaluated = this.#evaluated;
    const [ask, size] = tasks.core.arena.view(question, QUESTION_LENGTH);
    if (ask === ASK.begin) this.#steps.begin(size!);
    else if (ask === ASK.evaluate) {
      const { weights, intercepts, localOutput } = this.#steps.solver;
      evaluated.evaluate({ weights, intercepts, localPart: localOutput });
    } else {
      evaluated.place(tasks.smoothness(true), 1, FIGURES.smoothness);
    }
  }

  /** Of the losses when they were last evaluated. */
  get gradients(): Participants {
    return this.#evaluated.gradients;
  }

  upload(): Pointer {
    return this.#evaluated.answers;
  }
}
