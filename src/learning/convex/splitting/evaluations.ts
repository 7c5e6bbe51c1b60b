/**
 * What the fit's thread makes of the tasks' answers: the certificate, where rho should begin, and how rounds are balanced. Sums
 * are taken in the order of tasks.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { Participants } from "../../round/participants.js";
import { gapOf, type Gap } from "../certificates/duality-gap.js";
import type { JointProblem } from "../joint-fit.js";
import type { PooledPenalty } from "../penalties/penalty.js";
import type { Quadratic } from "./quadratic-choice.js";
import { ASK, FIGURES, FIGURES_LENGTH, QUESTION_LENGTH } from "./questions.js";
import { RESIDUALS } from "./reflected-part.js";

/** An evaluation of the models of the last round. */
export interface Evaluation extends Gap {
  readonly penalty: number;
  /**
   * How far apart W and Z were over how far Z still moved, relative to their sizes, in the rounds that were measured; rho should
   * grow with it. NaN, 0 or infinite where there is nothing to compare.
   * @see Wohlberg (2017), "ADMM penalty parameter selection by residual balancing".
   */
  readonly imbalance: number;
}

/** Asks, and puts answers together. */
export class Evaluations {
  readonly #problem: JointProblem;
  readonly #shared: PooledPenalty;
  readonly #tasks: Participants;
  readonly #question: Pointer;
  readonly #gradient: Pointer;
  readonly #figures: Float64Array;
  #asked = 0;

  constructor(problem: JointProblem, shared: PooledPenalty) {
    const { core, m, d } = problem;
    this.#problem = problem;
    this.#shared = shared;
    this.#tasks = problem.half.stages[1]!;
    this.#question = core.arena.f64(QUESTION_LENGTH);
    this.#gradient = core.arena.f64(m * d);
    this.#figures = new Float64Array(m * FIGURES_LENGTH);
  }

  /** The median over tasks of the mean curvature of their losses at the start, where intercepts move to their minimisers; > 0. */
  async typicalCurvature(signal: AbortSignal | undefined): Promise<number> {
    await this.#ask([ASK.open, 0, 0, 0, 0], signal);
    const mean = this.#column(FIGURES.curvature).sort();
    const typical = mean[mean.length >> 1]! || mean.at(-1)!;
    return typical > 0 ? typical : 1;
  }

  /** Has rounds with this rho begin. */
  begin(
    rho: number,
    { kind, stiffness }: Quadratic,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    return this.#ask([ASK.begin, rho, kind, stiffness, 0], signal);
  }

  /** @param measure whether the next rounds are to be measured. */
  async evaluate(measure: boolean, signal: AbortSignal | undefined): Promise<Evaluation> {
    await this.#ask([ASK.evaluate, 0, 0, 0, measure ? 1 : 0], signal);
    const { isSquared, local } = this.#problem;
    const sum = (figure: number) => this.#column(figure).reduce((total, value) => total + value, 0);
    const shared = this.#shared.conjugate(this.#gradient);
    const own = local
      ? { limit: this.#column(FIGURES.limit).reduce((a, b) => Math.min(a, b), Infinity), price: sum(FIGURES.price) } // prettier-ignore
      : { limit: Infinity, price: 0 };
    const penalty = this.#shared.value() + (local ? sum(FIGURES.value) : 0);
    const gap = gapOf({
      ...{ loss: sum(FIGURES.loss), linear: sum(FIGURES.linear), penalty, isSquared },
      limit: Math.min(shared.limit, own.limit),
      price: shared.price + own.price,
    });
    const residual = Array.from({ length: RESIDUALS }, (_, k) => sum(FIGURES.residuals + k));
    const [apart, moved, sizeW, sizeZ, dual] = residual as [number, number, number, number, number];
    const interceptResidual = this.#column(FIGURES.interceptResidual).reduce((a, b) => Math.max(a, b), 0); // prettier-ignore
    const imbalance = Math.sqrt(apart / Math.max(sizeW, sizeZ) / (moved / dual));
    return { ...gap, interceptResidual, penalty, imbalance };
  }

  async #ask(question: readonly number[], signal: AbortSignal | undefined): Promise<void> {
    const { core, m, d } = this.#problem;
    core.arena.view(this.#question, QUESTION_LENGTH).set(question);
    this.#tasks.receive(this.#question, ++this.#asked, false);
    const round = this.#asked + 1;
    await this.#tasks.prepare?.(round, undefined, signal);
    const length = d + FIGURES_LENGTH;
    const answers = core.arena.view(this.#tasks.upload(round), m * length);
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
