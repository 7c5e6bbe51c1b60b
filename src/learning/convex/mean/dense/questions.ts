/**
 * What the fit's thread asks of tasks with dense rows: each answers for itself, and sums are taken there, in the order of tasks.
 * @module
 */
import type { Pointer } from "../../../../core/index.js";
import type { Participants } from "../../../round/participants.js";
import { scaledIdentity, solveTask, solveTasks } from "../../../tasks/solves/local-solves.js";
import type { ResidentTasks } from "../../../tasks/resident-tasks.js";
import { fixedIntercepts } from "../../free-intercepts.js";
import { evaluatePolished } from "../../certificates/intercepts.js";
import { MovedSlopes } from "../moved-slopes.js";
import type { TaskRows } from "./task-rows.js";

/**
 * evaluate: eliminate the tasks at this a; gap: gradients at the models there are, and their distances from this mean;
 * correct: gradients moved by this v.
 */
export const ASK = { evaluate: 0, gap: 1, correct: 2 } as const;

/** Numbers of a question: which, and a vector. */
export const questionLength = (d: number) => 1 + d;

/**
 * What stands beside the vector in an answer. evaluate (a - w): the value of F_i; and bounds on the traces of its Hessian and of
 * X_i^T S_i X_i. gap (the gradient): L_i, ||w - mean||^2, |dL/db|. correct (the gradient moved): L_i's conjugate there.
 */
export const FIGURES_LENGTH = 3;

/** Who answers. */
export interface AnsweringTasks {
  readonly tasks: ResidentTasks;
  readonly rows: TaskRows;
  readonly lambda: number;
  /** W[m, d] to start from, and b[m] or 0: the models. */
  readonly weights: Pointer;
  readonly intercepts: Pointer;
}

/** Answers, a row for each task: a vector of d numbers, and figures. */
export class MeanQuestions implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  /** L_i of every task when gradients were last asked for, [m]. */
  readonly losses: Float64Array<ArrayBuffer>;
  readonly #of: AnsweringTasks;
  readonly #fixed: ReadonlySet<number>;
  readonly #precision: Pointer;
  readonly #vector: Pointer;
  readonly #blocks: Record<"gradient" | "difference", Pointer>;
  readonly #slopes: Pointer;
  readonly #lossesAt: Pointer;
  readonly #moved: MovedSlopes;
  readonly #answers: Pointer;

  constructor(of: AnsweringTasks) {
    const { m, d, core } = of.tasks;
    const { arena } = core;
    this.m = m;
    this.uploadLength = d + FIGURES_LENGTH;
    this.losses = new Float64Array(m);
    this.#of = of;
    this.#fixed = fixedIntercepts(of.tasks);
    this.#precision = scaledIdentity(arena, d, 2 * of.lambda);
    this.#vector = arena.f64(d);
    this.#blocks = { gradient: arena.f64(m * d), difference: arena.f64(d) };
    this.#slopes = of.intercepts === 0 ? 0 : arena.f64(m);
    this.#lossesAt = arena.f64(m);
    this.#moved = new MovedSlopes(of.tasks, of.rows);
    this.#answers = arena.zeros(m * this.uploadLength);
  }

  receive(question: Pointer): void {
    const { d, core } = this.#of.tasks;
    const [ask, ...vector] = core.arena.view(question, questionLength(d));
    core.arena.view(this.#vector, d).set(vector);
    if (ask === ASK.evaluate) this.#evaluate();
    else if (ask === ASK.gap) this.#gap();
    else this.#correct();
  }

  upload(): Pointer {
    return this.#answers;
  }

  /** Writes task i's answer. */
  #answer(i: number, vector: Pointer, figures: readonly number[]): void {
    const { d, core } = this.#of.tasks;
    const { arena } = core;
    const answer = arena.view(this.#answers + 8 * i * this.uploadLength, this.uploadLength);
    answer.set(arena.view(vector, d));
    answer.set(figures, d);
  }

  #evaluate(): void {
    const { tasks, lambda, weights, intercepts, rows } = this.#of;
    this.#solve();
    tasks.losses(weights, intercepts, this.#lossesAt);
    const losses = tasks.core.arena.view(this.#lossesAt, this.m).slice();
    losses.forEach((loss, i) => {
      const squares = this.#apart(i);
      this.#answer(i, this.#blocks.difference, [loss + lambda * squares, ...rows.traces(i)]);
    });
  }

  /** Models of all tasks around the question's vector; one by one where some have no intercept of their own. */
  #solve(): void {
    const { tasks, weights, intercepts } = this.#of;
    const prior = { precision: this.#precision, center: this.#vector };
    if (this.#fixed.size === 0) {
      solveTasks(tasks, prior, { weights, intercepts });
      return;
    }
    for (let i = 0; i < tasks.m; i++) {
      const own = {
        weights: weights + 8 * i * tasks.d,
        intercepts: this.#fixed.has(i) ? 0 : intercepts + 8 * i,
      };
      solveTask(tasks, i, prior, own);
    }
  }

  /** difference <- the question's vector less task i's model; its square. */
  #apart(i: number): number {
    const { tasks, weights } = this.#of;
    const { d, core } = tasks;
    const { difference } = this.#blocks;
    core.arena.view(difference, d).set(core.arena.view(this.#vector, d));
    core.kernels.axpy(-1, weights + 8 * i * d, difference, d);
    return core.kernels.dot(difference, difference, d);
  }

  #gap(): void {
    const { tasks, weights, intercepts } = this.#of;
    const { m, d, core } = tasks;
    const { gradient } = this.#blocks;
    evaluatePolished(tasks, {
      weights,
      intercepts,
      gradients: gradient,
      slopes: this.#slopes,
      losses: this.#lossesAt,
    });
    this.losses.set(core.arena.view(this.#lossesAt, m));
    this.losses.forEach((loss, i) => {
      const slope = intercepts === 0 ? 0 : Math.abs(core.arena.view(this.#slopes, m)[i]!);
      this.#answer(i, gradient + 8 * i * d, [loss, this.#apart(i), slope]);
    });
  }

  #correct(): void {
    const { d } = this.#of.tasks;
    const { weights, intercepts } = this.#of;
    const { gradient } = this.#blocks;
    const at = { weights, intercepts };
    const conjugates = this.#moved.move(this.#vector, at, gradient);
    conjugates.forEach((conjugate, i) => {
      this.#answer(i, gradient + 8 * i * d, [conjugate, 0, 0]);
    });
  }
}
