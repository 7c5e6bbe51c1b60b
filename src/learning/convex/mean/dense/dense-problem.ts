/**
 * F of tasks with dense rows, which lie on one thread or several: every task by its Cholesky factors or Newton steps, the Hessian
 * as a matrix, and the duality gap of min_W sum_i L_i(w_i) + lambda ||W - w_bar 1^T||_F^2.
 *
 * The dual value at the moved slopes (`questions.ts`), -sum L*(theta) - ||G||^2 / (4 lambda), is a lower bound on the optimum that
 * trusts nothing about how W was found.
 * @module
 */
import { largest } from "../../../../core/largest.js";
import type { Core, Pointer } from "../../../../core/index.js";
import { sum } from "../../../../linalg/dot.js";
import { valueOfSum } from "../../../../linalg/reproducible-sum.js";
import { symmetric } from "../../../../linalg/small-matrices.js";
import type { ParticipantHalf } from "../../../round/halves.js";
import type { Participants } from "../../../round/participants.js";
import type { Gap } from "../../certificates/duality-gap.js";
import { leastNormSolver, sumOfRows } from "../least-norm.js";
import type { Evaluated, MeanProblem } from "../problem.js";
import { ASK, FIGURES_LENGTH, questionLength } from "./questions.js";
import { TOTALS_QUESTION_LENGTH } from "./totals.js";

/** What it is made from. */
export interface DenseMeanParts {
  readonly core: Core;
  readonly m: number;
  readonly d: number;
  readonly lambda: number;
  /** Whether the losses are squared, so that their curvature is the same everywhere. */
  readonly isSquared: boolean;
  /** The tasks (`meanBatches`). */
  readonly half: Pick<ParticipantHalf, "stages">;
  readonly signal: AbortSignal | undefined;
}

type Solver = (b: Float64Array) => Float64Array;

/** Asks the tasks, and puts their answers together in their order. */
export class DenseMean implements MeanProblem {
  readonly #of: DenseMeanParts;
  readonly #questions: Participants;
  readonly #totals: Participants;
  readonly #question: Pointer;
  /** What every task answers, [m, d], until the next question. */
  readonly #vectors: Float64Array;
  #asked = 0;
  /** The mean of the models, [d], and bounds on the terms of both sums. */
  #mean = new Float64Array(0);
  #bounds: readonly [hessian: number, squares: number] = [0, 0];
  #solvers: { hessian?: Solver | undefined; squares?: Solver } = {};

  constructor(of: DenseMeanParts) {
    this.#of = of;
    [this.#questions, this.#totals] = of.half.stages as [Participants, Participants];
    this.#vectors = new Float64Array(of.m * of.d);
    this.#question = of.core.arena.f64(Math.max(questionLength(of.d), TOTALS_QUESTION_LENGTH));
  }

  async evaluate(a: Float64Array): Promise<Evaluated> {
    const { m, d, lambda, isSquared } = this.#of;
    const { vectors, figures } = await this.#ask(ASK.evaluate, a);
    const [value, hessian, squares] = [sum(figures[0]!), largest(figures[1]!), largest(figures[2]!)]; // prettier-ignore
    this.#bounds = [Math.min(2 * lambda, hessian), squares];
    if (!isSquared) this.#solvers.hessian = undefined;
    const apart = sumOfRows(vectors, m, d);
    this.#mean = a.map((entry, j) => entry - apart[j]! / m);
    return { value, gradient: apart.map((entry) => 2 * lambda * entry) };
  }

  async newtonStep(gradient: Float64Array): Promise<Float64Array> {
    if (!this.#solvers.hessian) await this.#sum(true, false);
    return this.#solvers.hessian!(gradient);
  }

  async gap(): Promise<Gap> {
    const { m, d, lambda, isSquared } = this.#of;
    // Squared losses form their Hessian of the same squares.
    if (!this.#solvers.squares) await this.#sum(isSquared, true);
    const { vectors, figures } = await this.#ask(ASK.gap, this.#mean);
    const objective = sum(figures[0]!) + lambda * sum(figures[1]!);
    const moved = await this.#ask(ASK.correct, this.#solvers.squares!(sumOfRows(vectors, m, d)));
    const price = spread(moved.vectors, m, d) / (4 * lambda);
    const bound = Math.max(0, -sum(moved.figures[0]!) - price);
    const relative = objective === 0 ? 0 : Math.max(0, (objective - bound) / objective);
    return { objective, relative, interceptResidual: largest(figures[2]!) };
  }

  /** What every task answers: a vector, [m, d], until the next question, and by figure that of each. */
  async #ask(ask: number, vector: Float64Array) {
    const { core, m, d, signal } = this.#of;
    core.arena.view(this.#question, questionLength(d)).set([ask, ...vector]);
    this.#questions.receive(this.#question, ++this.#asked, false);
    const round = this.#asked + 1;
    await this.#questions.prepare?.(round, undefined, signal);
    const length = d + FIGURES_LENGTH;
    const answers = core.arena.view(this.#questions.upload(round), m * length);
    const vectors = this.#vectors;
    const figures = Array.from({ length: FIGURES_LENGTH }, () => new Float64Array(m));
    for (let i = 0; i < m; i++) {
      vectors.set(answers.subarray(i * length, i * length + d), i * d);
      figures.forEach((column, k) => (column[i] = answers[i * length + d + k]!));
    }
    return { vectors, figures };
  }

  /** Has the tasks form sums, and takes what solves with them. */
  async #sum(hessian: boolean, squares: boolean): Promise<void> {
    const { core, d, signal } = this.#of;
    const wanted = [hessian, squares];
    const bounds = this.#bounds.map((bound, k) => (wanted[k] ? bound : -1));
    core.arena.view(this.#question, TOTALS_QUESTION_LENGTH).set(bounds);
    this.#totals.receive(this.#question, 1, true);
    await this.#totals.prepare?.(1, undefined, signal);
    const parts = this.#totals.total!(1);
    const solver = (k: number) =>
      leastNormSolver(
        symmetric(valueOfSum(parts.subarray(2 * k * d * d, 2 * (k + 1) * d * d)), d),
        d,
      );
    if (hessian) this.#solvers.hessian = solver(0);
    if (squares) this.#solvers.squares = solver(hessian ? 1 : 0);
  }
}

/** ||V - v_bar 1^T||_F^2 for V[m,d]. */
function spread(v: Float64Array, m: number, d: number): number {
  const mean = sumOfRows(v, m, d).map((value) => value / m);
  let total = 0;
  for (let i = 0; i < m; i++) for (let j = 0; j < d; j++) total += (v[i * d + j]! - mean[j]!) ** 2;
  return total;
}
