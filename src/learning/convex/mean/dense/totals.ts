/**
 * What the fit's thread asks of all tasks with dense rows together: d x d sums that every batch forms of its own, and that are
 * added to the same bits however the tasks are spread.
 * @module
 */
import type { Pointer } from "../../../../core/index.js";
import { ReproducibleSum } from "../../../../linalg/reproducible-sum.js";
import type { Participants } from "../../../round/participants.js";
import type { ResidentTasks } from "../../../tasks/resident-tasks.js";
import type { MeanCurvature } from "../curvature.js";

/** A question: bounds on the entries of the terms of the Hessian, and of the rows' squares; below 0: that sum is not wanted. */
export const TOTALS_QUESTION_LENGTH = 2;

/** The tasks that are summed over. */
export interface SummedTasks {
  readonly tasks: ResidentTasks;
  readonly curvature: MeanCurvature;
  readonly weights: Pointer;
  readonly intercepts: Pointer;
  /** Tasks of the whole run. */
  readonly count: number;
}

/** Answers with the parts of the sums that are wanted, one after the other, [2 d d] each. */
export class MeanTotals implements Participants {
  readonly m: number;
  readonly uploadLength = 0;
  readonly #of: SummedTasks;
  #parts = new Float64Array(0);

  constructor(of: SummedTasks) {
    this.m = of.tasks.m;
    this.#of = of;
  }

  receive(question: Pointer): void {
    const { tasks, curvature, weights, intercepts, count } = this.#of;
    const { core, d } = tasks;
    const bounds = core.arena.view(question, TOTALS_QUESTION_LENGTH);
    const [ofHessian, ofSquares] = Array.from(bounds, (bound) =>
      bound < 0 ? undefined : new ReproducibleSum(d * d, { bound, count }),
    );
    curvature.add(weights, intercepts, { curvature: ofHessian, squares: ofSquares });
    const wanted = [ofHessian, ofSquares].flatMap((sum) => (sum ? [sum.parts] : []));
    this.#parts = new Float64Array(wanted.length * 2 * d * d);
    wanted.forEach((parts, k) => this.#parts.set(parts, k * parts.length));
  }

  total(): Float64Array<ArrayBuffer> {
    return this.#parts;
  }

  upload(): Pointer {
    throw new RangeError("upload: of these tasks only sums are asked for");
  }
}
