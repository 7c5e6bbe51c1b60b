/**
 * What tasks answer when the fit's thread asks between rounds, wherever they lie: each its gradient, then figures. Sums are
 * taken in the order of tasks.
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

/** Numbers of a question, and of an answer beside the gradient. */
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
  /** [m, d]. */
  readonly gradient: Pointer;
  readonly #tasks: AskedTasks;
  readonly #participants: Participants;
  readonly #lengths: AnswerLengths;
  /** A row for each figure, of all tasks: [figures, m]. */
  readonly #figures: Float64Array;
  #asked = 0;

  constructor(tasks: AskedTasks, participants: Participants, lengths: AnswerLengths) {
    const { core, m, d } = tasks;
    this.#tasks = tasks;
    this.#participants = participants;
    this.#lengths = lengths;
    this.question = core.arena.f64(lengths.question);
    this.gradient = core.arena.f64(m * d);
    this.#figures = new Float64Array(m * lengths.figures);
  }

  /** @throws whatever `signal` was aborted with. */
  async ask(question: readonly number[], signal: AbortSignal | undefined): Promise<void> {
    const { core, m, d } = this.#tasks;
    const { figures } = this.#lengths;
    core.arena.view(this.question, this.#lengths.question).set(question);
    this.#participants.receive(this.question, ++this.#asked, false);
    const round = this.#asked + 1;
    await this.#participants.prepare?.(round, undefined, signal);
    const answers = core.arena.view(this.#participants.upload(round), m * (d + figures));
    const gradient = core.arena.view(this.gradient, m * d);
    // Nobody else works meanwhile: a view for each task would take ten times as long as its numbers.
    for (let i = 0, from = 0, to = 0; i < m; i++) {
      for (let j = 0; j < d; j++) gradient[to++] = answers[from++]!;
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
  certificate(
    shared: PooledPenalty,
    { isSquared, isLocal }: { readonly isSquared: boolean; readonly isLocal: boolean },
  ): TaskCertificate {
    const terms = shared.conjugate(this.gradient);
    const penalty = shared.value() + (isLocal ? this.sum(EVALUATED.value) : 0);
    const gap = gapOf({
      ...{ loss: this.sum(EVALUATED.loss), linear: this.sum(EVALUATED.linear), penalty, isSquared },
      limit: Math.min(terms.limit, isLocal ? this.#least(EVALUATED.limit) : Infinity),
      price: terms.price + (isLocal ? this.sum(EVALUATED.price) : 0),
    });
    return { ...gap, interceptResidual: this.most(EVALUATED.interceptResidual), penalty };
  }
}
