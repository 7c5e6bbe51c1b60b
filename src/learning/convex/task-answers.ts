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
    const length = d + figures;
    const answers = core.arena.view(this.#participants.upload(round), m * length);
    const gradient = core.arena.view(this.gradient, m * d);
    for (let i = 0, at = 0; i < m; i++, at += length) {
      gradient.set(answers.subarray(at, at + d), i * d);
      this.#figures.set(answers.subarray(at + d, at + length), i * figures);
    }
  }

  /** A figure of every task, [m]. */
  column(figure: number): Float64Array {
    const { m } = this.#tasks;
    const { figures } = this.#lengths;
    return Float64Array.from({ length: m }, (_, i) => this.#figures[i * figures + figure]!);
  }

  sum(figure: number): number {
    return this.column(figure).reduce((total, value) => total + value, 0);
  }

  /** The largest of the tasks', at least 0. */
  most(figure: number): number {
    return this.column(figure).reduce((a, b) => Math.max(a, b), 0);
  }

  /** Objective and gap at the models that were evaluated. @param isLocal whether there is a local penalty. */
  certificate(
    shared: PooledPenalty,
    { isSquared, isLocal }: { readonly isSquared: boolean; readonly isLocal: boolean },
  ): TaskCertificate {
    const terms = shared.conjugate(this.gradient);
    const least = (figure: number) =>
      this.column(figure).reduce((a, b) => Math.min(a, b), Infinity);
    const penalty = shared.value() + (isLocal ? this.sum(EVALUATED.value) : 0);
    const gap = gapOf({
      ...{ loss: this.sum(EVALUATED.loss), linear: this.sum(EVALUATED.linear), penalty, isSquared },
      limit: Math.min(terms.limit, isLocal ? least(EVALUATED.limit) : Infinity),
      price: terms.price + (isLocal ? this.sum(EVALUATED.price) : 0),
    });
    return { ...gap, interceptResidual: this.most(EVALUATED.interceptResidual), penalty };
  }
}
