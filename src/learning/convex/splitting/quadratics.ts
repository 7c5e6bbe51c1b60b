/**
 * Every task's loss as the quadratic that its exact local step inverts: the squared loss itself, or the logistic one around
 * the models there are.
 * @module
 */
import * as math from "../../../core/elementary.js";
import type { Pointer } from "../../../core/index.js";
import { changed, type ResidentTasks } from "../../tasks/resident-tasks.js";
import { fixedIntercepts } from "../free-intercepts.js";

/** Matrices H_i and moments h_i of (1/2) w^T H_i w - h_i^T w + const, free intercepts minimised over. */
export interface Quadratics {
  /** Tasks with squared losses that are these quadratics, but for which intercepts are free. */
  readonly tasks: ResidentTasks;
  /** Whether task i's intercept is free. */
  isCentred(i: number): boolean;
  /**
   * Takes those of the losses around these models.
   * @param stiffness how many times as much as the losses they bend there, but never more than what keeps them above the
   *   losses everywhere; >= 1, Infinity for that.
   */
  around(weights: Pointer, intercepts: Pointer, stiffness: number): void;
  /** grams[m, d, d], lower triangles, and moments[m, d]; of dense rows. */
  write(grams: Pointer, moments: Pointer): void;
}

/** The quadratics of these tasks, by their loss. */
export function quadraticsOf(tasks: ResidentTasks): Quadratics {
  return tasks.loss === "squared" ? new SquaredLosses(tasks) : new LogisticLosses(tasks);
}

class SquaredLosses implements Quadratics {
  readonly tasks: ResidentTasks;
  readonly #work: Pointer;

  constructor(tasks: ResidentTasks) {
    const { core, d } = tasks;
    this.tasks = tasks;
    this.#work = tasks.isDense ? core.arena.bytes(core.kernels.taskGramsWorkspace(d)) : 0;
  }

  isCentred(_i: number): boolean {
    return this.tasks.intercept;
  }

  around(..._models: Parameters<Quadratics["around"]>): void {
    // They are what they are.
  }

  write(grams: Pointer, moments: Pointer): void {
    this.writeOf(this.tasks.at, this.tasks.intercept, grams, moments);
  }

  protected writeOf(data: Pointer, centred: boolean, grams: Pointer, moments: Pointer): void {
    const { kernels } = this.tasks.core;
    kernels.taskGrams(data, centred ? 1 : 0, grams, moments, this.#work);
  }
}

/** Of a curvature below this the quadratic is taken with this one: targets stay finite. */
const LEAST_CURVATURE = 1e-6;

/** Iteratively reweighted least squares: rows weigh their curvatures D, and their targets are p - slope / D. */
class LogisticLosses extends SquaredLosses {
  readonly #labels: ResidentTasks;
  readonly #margins: Pointer;
  /** Tasks whose intercept is fixed, each with a record of its own and its rows. */
  readonly #fixed: readonly { task: number; record: Pointer; from: number; end: number }[];

  constructor(labels: ResidentTasks) {
    const { core, rows, m } = labels;
    const targets = core.arena.f64(rows);
    const quadratic = { loss: "squared", y: targets, weights: core.arena.f64(rows) } as const;
    super(changed(labels, quadratic));
    this.#labels = labels;
    this.#margins = core.arena.f64(rows);
    const ends = core.arena.words(labels.offsets, m + 1);
    this.#fixed = [...fixedIntercepts(labels)].map((task) => {
      const range = { from: ends[task]!, end: ends[task + 1]! };
      return { task, record: this.tasks.placeRange(task, 1), ...range };
    });
  }

  override isCentred(i: number): boolean {
    return this.tasks.intercept && !this.#fixed.some(({ task }) => task === i);
  }

  override around(weights: Pointer, intercepts: Pointer, stiffness: number): void {
    const { core, rows, y, weights: given } = this.#labels;
    const { arena } = core;
    this.#labels.predict(weights, intercepts, this.#margins);
    const view = (at: Pointer) => arena.view(at, rows);
    const [margins, labels] = [view(this.#margins), view(y)];
    const [targets, curvatures] = [view(this.tasks.y), view(this.tasks.weights)];
    for (let j = 0; j < rows; j++) {
      const p = margins[j]!;
      const e = math.exp(-Math.abs(p));
      const likely = 1 / (1 + e);
      const bound = boundOf(Math.abs(p), likely);
      const bend =
        stiffness === Infinity ? bound : Math.min(stiffness * e * likely * likely, bound);
      const slope = (p < 0 ? e * likely : likely) - (labels[j]! > 0 ? 1 : 0);
      curvatures[j] = Math.max(bend, LEAST_CURVATURE);
      targets[j] = p - slope / curvatures[j]!;
    }
    if (given !== 0) view(given).forEach((weight, j) => (curvatures[j]! *= weight));
    for (const { task, from, end } of this.#fixed) {
      const level = arena.view(intercepts, task + 1)[task]!;
      for (let j = from; j < end; j++) targets[j]! -= level;
    }
  }

  override write(grams: Pointer, moments: Pointer): void {
    super.write(grams, moments);
    const { d } = this.tasks;
    for (const { task, record } of this.#fixed) {
      this.writeOf(record, false, grams + 8 * task * d * d, moments + 8 * task * d);
    }
  }
}

/**
 * The least curvature of a quadratic above the loss that touches it at margins of size p.
 * @param likely sigma(p), p >= 0.
 * @see Jaakkola and Jordan (2000), "Bayesian parameter estimation via variational methods".
 */
function boundOf(p: number, likely: number): number {
  return p < 1e-4 ? 1 / 4 : (likely - 1 / 2) / p;
}
