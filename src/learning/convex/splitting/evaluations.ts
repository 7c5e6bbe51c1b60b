/**
 * What the fit's thread makes of the tasks' answers: the certificate, where rho should begin, and how rounds are balanced. Sums
 * are taken in the order of tasks.
 * @module
 */
import type { JointProblem } from "../joint-fit.js";
import type { PooledPenalty } from "../penalties/penalty.js";
import type { Participants } from "../../round/participants.js";
import { TaskAnswers, type TaskCertificate } from "../task-answers.js";
import type { Quadratic } from "./quadratic-choice.js";
import { ASK, FIGURES, FIGURES_LENGTH, QUESTION_LENGTH } from "./questions.js";
import { RESIDUALS } from "./reflected-part.js";

/** An evaluation of the models of the last round. */
export interface Evaluation extends TaskCertificate {
  /**
   * How far apart W and Z were over how far Z still moved, relative to their sizes, in the rounds that were measured; rho should
   * grow with it. NaN, 0 or infinite where there is nothing to compare.
   * @see Wohlberg (2017), "ADMM penalty parameter selection by residual balancing".
   */
  readonly imbalance: number;
}

/** Below it a curvature has no inverse that can be computed with: rows so small say nothing, and any rho will do. */
const LEAST_CURVATURE = 1e-240;

/** Asks, and puts answers together. */
export class Evaluations {
  readonly #problem: JointProblem;
  readonly #shared: PooledPenalty;
  readonly #answers: TaskAnswers;

  constructor(problem: JointProblem, shared: PooledPenalty) {
    this.#problem = problem;
    this.#shared = shared;
    const lengths = { question: QUESTION_LENGTH, figures: FIGURES_LENGTH };
    const [, questions, gradients] = problem.half.stages as [
      Participants,
      Participants,
      Participants,
    ];
    this.#answers = new TaskAnswers(problem, { questions, gradients }, lengths);
  }

  /** The median over tasks of the mean curvature of their losses at the start, where intercepts move to their minimisers; > 0. */
  async typicalCurvature(signal: AbortSignal | undefined): Promise<number> {
    await this.#answers.ask([ASK.open, 0, 0, 0, 0], signal);
    const mean = this.#answers.column(FIGURES.curvature).slice().sort();
    const typical = mean[mean.length >> 1]! || mean.at(-1)!;
    return typical > LEAST_CURVATURE ? typical : 1;
  }

  /** Has rounds with this rho begin. */
  begin(
    rho: number,
    { kind, stiffness }: Quadratic,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    return this.#answers.ask([ASK.begin, rho, kind, stiffness, 0], signal);
  }

  /** @param measure whether the next rounds are to be measured. */
  async evaluate(measure: boolean, signal: AbortSignal | undefined): Promise<Evaluation> {
    await this.#answers.ask([ASK.evaluate, 0, 0, 0, measure ? 1 : 0], signal);
    const { isSquared, local } = this.#problem;
    const answers = this.#answers;
    const of = { isSquared, isLocal: local !== undefined };
    const found = await answers.certificate(this.#shared, of, signal);
    const residual = Array.from({ length: RESIDUALS }, (_, k) =>
      answers.sum(FIGURES.residuals + k),
    );
    const [apart, moved, sizeW, sizeZ, dual] = residual as [number, number, number, number, number];
    const imbalance = Math.sqrt(apart / Math.max(sizeW, sizeZ) / (moved / dual));
    return { ...found, imbalance };
  }
}
