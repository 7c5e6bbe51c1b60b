/**
 * What tasks answer when the fit's thread asks between rounds, wherever they lie: each its figures, whose sums are taken in the order
 * of tasks; and of their gradients the sum that the penalty's conjugate reads.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import type { Participants } from "../round/participants.js";
import { gapOf, type Gap } from "./certificates/duality-gap.js";
import { EVALUATED } from "./evaluated-tasks.js";
import type { PooledPenalty } from "./penalties/penalty.js";

/** How many tasks of how many features, in which memory. */
export interface AskedTasks {
  readonly core: Core;
  readonly m: number;
  readonly d: number;
}

/** Who answers questions, and who has the gradients. */
export interface AnsweringStages {
  readonly questions: Participants;
  readonly gradients: Participants;
}

/** Numbers of a question, and of an answer. */
export interface AnswerLengths {
  readonly question: number;
  readonly figures: number;
}

/** What the answers prove. */
export interface TaskCertificate extends Gap {
  readonly penalty: number;
}

/** Asks all tasks the same, and keeps the last answers. */
export class TaskAnswers {
  /** What was asked last. */
  readonly question: Pointer;
  readonly #tasks: AskedTasks;
  readonly #questions: Participants;
  readonly #gradients: Participants;
  readonly #lengths: AnswerLengths;
  /** A row for each figure, of all tasks: [figures, m]. */
  readonly #figures: Float64Array;
  #asked = 0;

  constructor(tasks: AskedTasks, stages: AnsweringStages, lengths: AnswerLengths) {
    const { core, m } = tasks;
    this.#tasks = tasks;
    this.#questions = stages.questions;
    this.#gradients = stages.gradients;
    this.#lengths = lengths;
    this.question = core.arena.f64(lengths.question);
    this.#figures = new Float64Array(m * lengths.figures);
  }

  /** @throws whatever `signal` was aborted with. */
  async ask(question: readonly number[], signal: AbortSignal | undefined): Promise<void> {
    const { core, m } = this.#tasks;
    const { figures } = this.#lengths;
    core.arena.view(this.question, this.#lengths.question).set(question);
    this.#questions.receive(this.question, ++this.#asked, false);
    const round = this.#asked + 1;
    await this.#questions.prepare?.(round, undefined, signal);
    const answers = core.arena.view(this.#questions.upload(round), m * figures);
    for (let i = 0, from = 0; i < m; i++) {
      for (let k = 0; k < figures; k++) this.#figures[k * m + i] = answers[from++]!;
    }
  }

  /** A figure of every task, [m], until the next answers. */
  column(figure: number): Float64Array {
    const { m } = this.#tasks;
    return this.#figures.subarray(figure * m, (figure + 1) * m);
  }

  sum(figure: number): number {
    let total = 0;
    for (const value of this.column(figure)) total += value;
    return total;
  }

  /** The largest of the tasks', at least 0. */
  most(figure: number): number {
    let most = 0;
    for (const value of this.column(figure)) most = Math.max(most, value);
    return most;
  }

  #least(figure: number): number {
    let least = Infinity;
    for (const value of this.column(figure)) least = Math.min(least, value);
    return least;
  }

  /** Objective and gap at the models that were evaluated. @param isLocal whether there is a local penalty. */
  async certificate(
    shared: PooledPenalty,
    { isSquared, isLocal }: { readonly isSquared: boolean; readonly isLocal: boolean },
    signal: AbortSignal | undefined,
  ): Promise<TaskCertificate> {
    const gradients = this.#gradients;
    await gradients.prepare?.(this.#asked, undefined, signal);
    const terms = gradients.sum
      ? shared.conjugateOfSum(gradients.sum(this.#asked))
      : shared.conjugate(gradients.upload(this.#asked));
    const penalty = shared.value() + (isLocal ? this.sum(EVALUATED.value) : 0);
    const gap = gapOf({
      loss: this.sum(EVALUATED.loss),
      linear: this.sum(EVALUATED.linear),
      penalty,
      isSquared,
      limit: Math.min(terms.limit, isLocal ? this.#least(EVALUATED.limit) : Infinity),
      price: terms.price + (isLocal ? this.sum(EVALUATED.price) : 0),
    });
    return { ...gap, interceptResidual: this.most(EVALUATED.interceptResidual), penalty };
  }
}
