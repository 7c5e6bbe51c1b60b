/**
 * Tasks that descend as the fit's thread sees them, wherever they lie.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { Curator } from "../../round/curator.js";
import type { Participants } from "../../round/participants.js";
import type { RoundFigures } from "../../round/sharing-rule.js";
import { gapOf, type Gap } from "../certificates/duality-gap.js";
import type { JointProblem } from "../joint-fit.js";
import type { PooledPenalty } from "../penalties/penalty.js";
import { ASK, FIGURES, FIGURES_LENGTH, QUESTION_LENGTH } from "./questions.js";
import { ORDER, ORDER_LENGTH } from "./steps.js";

/** Asks, tells, and puts answers together. */
export class DescendingTasks {
  readonly #problem: JointProblem;
  readonly #steps: Participants;
  readonly #angles: Participants;
  readonly #questions: Participants;
  readonly #order: Pointer;
  readonly #length: number;
  readonly #question: Pointer;
  readonly #gradient: Pointer;
  readonly #figures: Float64Array;
  #asked = 0;

  constructor(problem: JointProblem) {
    const { core, m, d, half, shared } = problem;
    const { arena } = core;
    this.#problem = problem;
    [this.#steps, this.#angles, this.#questions] = half.stages as [
      Participants,
      Participants,
      Participants,
    ];
    this.#length = shared.broadcastLength(d);
    this.#order = arena.f64(ORDER_LENGTH + this.#length);
    this.#question = arena.f64(QUESTION_LENGTH);
    this.#gradient = arena.f64(m * d);
    this.#figures = new Float64Array(m * FIGURES_LENGTH);
  }

  /** 1/(parts L), L the largest smoothness measured on the data: the gradient in two parts jointly is 2 L-Lipschitz. */
  async commonStep(): Promise<number> {
    await this.#ask(ASK.open, 0);
    const most = this.#column(FIGURES.smoothness).reduce((a, b) => Math.max(a, b), 0);
    const largest = (this.#problem.local ? 2 : 1) * most;
    return largest > 0 ? 1 / largest : 1;
  }

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
    // Arrays that are not shared come back with uploads, so that those after the first step are taken before another is ordered.
    await this.#steps.prepare?.(round + 1, undefined, this.#problem.signal);
    this.#problem.core.arena.view(this.#order, ORDER_LENGTH).set([ORDER.again, 0]);
    this.#tell(round);
  }

  #tell(round: number): void {
    // Whether a round follows is in the order: uploads are not asked for ahead, since angles are, in the same places.
    this.#steps.receive(this.#order, round, true);
  }

  /** How far the last move of all tasks went against their momentum. */
  async angle(round: number): Promise<number> {
    const { core, m, signal } = this.#problem;
    this.#angles.receive(this.#question, round, false);
    await this.#angles.prepare?.(round + 1, undefined, signal);
    return core.arena.view(this.#angles.upload(round + 1), m).reduce((a, b) => a + b, 0);
  }

  /** Objective and gap at the models of the last round. */
  async evaluate(shared: PooledPenalty): Promise<Gap & { readonly penalty: number }> {
    const { isSquared, local } = this.#problem;
    await this.#ask(ASK.evaluate, 0);
    const sum = (figure: number) => this.#column(figure).reduce((total, one) => total + one, 0);
    const terms = shared.conjugate(this.#gradient);
    const limits = local ? this.#column(FIGURES.limit) : new Float64Array(0);
    const penalty = shared.value() + (local ? sum(FIGURES.value) : 0);
    const gap = gapOf({
      ...{ loss: sum(FIGURES.loss), linear: sum(FIGURES.linear), penalty, isSquared },
      limit: limits.reduce((a, b) => Math.min(a, b), terms.limit),
      price: terms.price + (local ? sum(FIGURES.price) : 0),
    });
    const interceptResidual = this.#column(FIGURES.interceptResidual).reduce((a, b) => Math.max(a, b), 0); // prettier-ignore
    return { ...gap, interceptResidual, penalty };
  }

  async #ask(ask: number, size: number): Promise<void> {
    const { core, m, d, signal } = this.#problem;
    core.arena.view(this.#question, QUESTION_LENGTH).set([ask, size]);
    this.#questions.receive(this.#question, ++this.#asked, false);
    const round = this.#asked + 1;
    await this.#questions.prepare?.(round, undefined, signal);
    const length = d + FIGURES_LENGTH;
    const answers = core.arena.view(this.#questions.upload(round), m * length);
    const gradient = core.arena.view(this.#gradient, m * d);
    for (let i = 0, at = 0; i < m; i++, at += length) {
      gradient.set(answers.subarray(at, at + d), i * d);
      this.#figures.set(answers.subarray(at + d, at + length), i * FIGURES_LENGTH);
    }
  }

  /** A figure of every task, [m]. */
  #column(figure: number): Float64Array {
    const { m } = this.#problem;
    return Float64Array.from({ length: m }, (_, i) => this.#figures[i * FIGURES_LENGTH + figure]!);
  }
}
