/**
 * What the fit's thread asks of tasks with sparse rows, each for itself; the sums that follow are asked for in `sparse-totals.ts`.
 * @module
 */
import { largestMagnitude } from "../../../../core/largest.js";
import type { Core, Pointer } from "../../../../core/index.js";
import { dot } from "../../../../linalg/dot.js";
import type { Participants } from "../../../round/participants.js";
import type { LossName } from "../../../tasks/losses.js";
import { marginLoss } from "../../../tasks/margin-losses.js";
import { addScattered, timesTransposed } from "../../../tasks/own-models/sparse/compact-rows.js";
import type { SparseTasks } from "./sparse-tasks.js";

/**
 * evaluate: eliminate the tasks at a; gap: gradients at the models there are; correct: slopes moved along v; close: make models of
 * what every mean has of base, and shift, by which it was moved away from where the tasks were eliminated.
 */
export const SPARSE_ASK = { evaluate: 0, gap: 1, correct: 2, close: 3 } as const;

/** Numbers of a question: which, a or v or the base, and the shift. */
export const sparseQuestionLength = (d: number) => 1 + 2 * d;

/**
 * Numbers of an answer. evaluate: the value of F_i, the largest |u|, a bound on the trace of X_i^T S_i X_i, how far a tells labels apart. gap: L_i, ||u||^2,
 * |dL/db|, the largest |gradient|, the largest |u|. correct: less the conjugate of L_i, ||gradient||^2, the largest |change|, the
 * largest |gradient|.
 */
export const SPARSE_FIGURES = 5;

/** Whose models they are: W[m, d] and b[m] or 0, written by `close`. */
export interface SparseModels {
  readonly core: Core;
  readonly weights: Pointer;
  readonly intercepts: Pointer;
}

export class SparseQuestions implements Participants {
  readonly m: number;
  readonly uploadLength = SPARSE_FIGURES;
  /** L_i of every task when gradients were last asked for, [m]. */
  readonly losses: Float64Array<ArrayBuffer>;
  readonly #tasks: SparseTasks;
  readonly #models: SparseModels;
  readonly #answers: Pointer;

  constructor(tasks: SparseTasks, models: SparseModels) {
    this.m = tasks.own.length;
    this.losses = new Float64Array(this.m);
    this.#tasks = tasks;
    this.#models = models;
    this.#answers = models.core.arena.zeros(this.m * SPARSE_FIGURES);
  }

  receive(question: Pointer): void {
    const { d } = this.#tasks.rows;
    const asked = this.#models.core.arena.view(question, sparseQuestionLength(d)).slice();
    const [ask, vector, shift] = [asked[0], asked.subarray(1, 1 + d), asked.subarray(1 + d)];
    if (ask === SPARSE_ASK.evaluate) this.#evaluate(vector);
    else if (ask === SPARSE_ASK.gap) this.#gap();
    else if (ask === SPARSE_ASK.correct) this.#correct(vector);
    else this.#close(vector, shift);
  }

  upload(): Pointer {
    return this.#answers;
  }

  #answer(i: number, ...figures: readonly number[]): void {
    const at = this.#answers + 8 * i * SPARSE_FIGURES;
    this.#models.core.arena.view(at, SPARSE_FIGURES).set(figures);
  }

  #evaluate(a: Float64Array): void {
    const { own, rows } = this.#tasks;
    own.forEach((task, i) => {
      const value = task.minimise(a);
      this.#answer(i, value, largestMagnitude(task.u), rows.trace(i), task.labelsApart(a));
    });
  }

  #gap(): void {
    const { own, gradients } = this.#tasks;
    own.forEach((task, i) => {
      const residual = task.polishIntercept();
      const loss = (this.losses[i] = task.loss(task.margins));
      const gradient = timesTransposed(task.given.rows, task.slopes(), gradients[i]!);
      this.#answer(
        i,
        loss,
        dot(task.u, task.u),
        residual,
        largestMagnitude(gradient),
        largestMagnitude(task.u),
      );
    });
  }

  /** Slopes less what of v the rows see; beyond the ends of their range they are set to the ends. */
  #correct(v: Float64Array): void {
    const { own, rows, scales, gradients, changes, room } = this.#tasks;
    own.forEach((task, i) => {
      const { factors, loss, y, rows: compact } = task.given;
      const { conjugate } = marginLoss(loss);
      const { moves, squares } = rows.along(i, v);
      let dual = 0;
      const slopes = task.slopes();
      const set = room.centred;
      for (let j = 0; j < slopes.length; j++) {
        const factor = factors[j]!;
        set[j] = 0;
        if (!(factor > 0)) continue;
        const wanted = slopes[j]! / factor - moves[j]! / scales[i]!;
        const taken = withinRange(loss, wanted, y[j]!);
        dual -= factor * conjugate(taken, y[j]!);
        set[j] = factor * (taken - wanted);
      }
      const change = timesTransposed(compact, set, changes[i]!);
      const corrected = this.#tasks.corrected[i]!;
      for (let c = 0; c < compact.k; c++) {
        corrected[c] = gradients[i]![c]! - squares[c]! + change[c]!;
      }
      this.#answer(
        i,
        dual,
        dot(corrected, corrected),
        largestMagnitude(change),
        largestMagnitude(corrected),
      );
    });
  }

  #close(base: Float64Array, shift: Float64Array): void {
    const { own, rows } = this.#tasks;
    const { core, weights, intercepts } = this.#models;
    const { arena } = core;
    own.forEach((task, i) => {
      const row = arena.view(weights + 8 * i * rows.d, rows.d);
      row.set(base);
      addScattered(task.u, task.given.used, row);
      if (intercepts !== 0) {
        arena.view(intercepts, own.length)[i] = task.b + rows.level(i, shift);
      }
    });
  }
}

/** The slope, or the end of the loss's range of slopes that is next to it. */
function withinRange(loss: LossName, slope: number, y: number): number {
  return loss === "logistic" ? -y * Math.min(1, Math.max(0, -slope * y)) : slope;
}
