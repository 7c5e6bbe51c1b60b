/**
 * Accelerated descent seen from the thread of the fit: orders and questions to the tasks, whichever threads hold them.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { Curator } from "../../round/curator.js";
import type { Participants } from "../../round/participants.js";
import type { RoundFigures } from "../../round/sharing-rule.js";
import type { JointProblem } from "../joint-fit.js";
import type { PooledPenalty } from "../penalties/penalty.js";
import { TaskAnswers, type TaskCertificate } from "../task-answers.js";
import { ASK, FIGURES, FIGURES_LENGTH, QUESTION_LENGTH } from "./questions.js";
import { ORDER, ORDER_LENGTH } from "./steps.js";

/** All tasks of a fit by descent. */
export class DescendingTasks {
  readonly #problem: JointProblem;
  readonly #steps: Participants;
  readonly #angles: Participants;
  readonly #answers: TaskAnswers;
  readonly #order: Pointer;
  readonly #length: number;

  constructor(problem: JointProblem) {
    const { core, d, half, shared } = problem;
    const [steps, angles, questions, gradients] = half.stages as [
      Participants,
      Participants,
      Participants,
      Participants,
    ];
    this.#problem = problem;
    this.#steps = steps;
    this.#angles = angles;
    this.#length = shared.broadcastLength(d);
    this.#order = core.arena.f64(ORDER_LENGTH + this.#length);
    const lengths = { question: QUESTION_LENGTH, figures: FIGURES_LENGTH };
    this.#answers = new TaskAnswers(problem, { questions, gradients }, lengths);
  }

  /** 1/(parts L), L the largest smoothness measured on the data: the gradient in two parts jointly is 2 L-Lipschitz. */
  async commonStep(): Promise<number> {
    await this.#ask(ASK.open, 0);
    const largest = (this.#problem.local ? 2 : 1) * this.#answers.most(FIGURES.smoothness);
    return largest > 0 ? 1 / largest : 1;
  }

  /** Fixes the step size; every task takes its first gradient step. */
  begin(size: number): Promise<void> {
    return this.#ask(ASK.begin, size);
  }

  /** The curator's half of a round. */
  async round(curator: Curator, round: number): Promise<RoundFigures> {
    const steps = this.#steps;
    await steps.prepare?.(round, undefined, this.#problem.signal);
    return steps.sum
      ? curator.roundOfSum(steps.sum(round), round)
      : curator.round(steps.upload(round), round);
  }

  /** The tasks' half. */
  step(
    broadcast: Pointer,
    { round, beta, isLast }: Readonly<{ round: number; beta: number; isLast: boolean }>,
  ): void {
    const { arena } = this.#problem.core;
    const order = arena.view(this.#order, ORDER_LENGTH + this.#length);
    order.set([isLast ? ORDER.project : ORDER.step, beta]);
    order.set(arena.view(broadcast, this.#length), ORDER_LENGTH);
    this.#tell(round);
  }

  /** The tasks' step after a round again, without momentum. */
  async stepAgain(round: number): Promise<void> {
    // Memory that is not shared travels with the uploads: those of the first step must be back before the next order.
    await this.#steps.prepare?.(round + 1, undefined, this.#problem.signal);
    this.#problem.core.arena.view(this.#order, ORDER_LENGTH).set([ORDER.again, 0]);
    this.#tell(round);
  }

  #tell(round: number): void {
    // "Last", so that no upload is computed ahead: angles are asked for in the same places.
    this.#steps.receive(this.#order, round, true);
  }

  /** How far the last move of all tasks went against their momentum. */
  async angle(round: number): Promise<number> {
    const { core, m, signal } = this.#problem;
    this.#angles.receive(this.#answers.question, round, false);
    await this.#angles.prepare?.(round + 1, undefined, signal);
    return core.arena.view(this.#angles.upload(round + 1), m).reduce((a, b) => a + b, 0);
  }

  /** Objective and gap at the models of the last round. */
  async evaluate(shared: PooledPenalty): Promise<TaskCertificate> {
    const { isSquared, local, signal } = this.#problem;
    await this.#ask(ASK.evaluate, 0);
    const of = { isSquared, isLocal: local !== undefined };
    return this.#answers.certificate(shared, of, signal);
  }

  #ask(ask: number, size: number): Promise<void> {
    return this.#answers.ask([ask, size], this.#problem.signal);
  }
}
