/**
 * The squared loss with slopes held to a declared bound G (Huber's loss), for the record-level
 * baselines, whose sensitivity needs one.
 *
 * The slope of the squared loss against the target p - clip(p - y, G) is clip(p - y, G) itself, so
 * the gradients are those of the squared loss with the targets pulled to within G of the prediction.
 * The logistic loss has slopes within 1 and is left alone.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import type { LossName, LossScale } from "../../tasks/losses.js";
import { ResidentTasks } from "../../tasks/resident-tasks.js";

/** Tasks whose gradients have every |loss'| <= `bound`; Infinity for no bound. */
export class ClippedTasks extends ResidentTasks {
  /** G. */
  readonly bound: number;
  readonly #margins: Pointer;
  readonly #targets: Pointer;
  /** The kernels' record of the tasks with those targets. */
  readonly #pulled: Pointer;

  constructor(
    core: Core,
    tasks: TaskSet,
    y: Float64Array,
    options: { loss: LossName; lossScale: LossScale },
    bound: number,
  ) {
    super(core, tasks, y, options);
    this.bound = bound;
    this.#margins = core.arena.f64(this.rows);
    this.#targets = core.arena.f64(this.rows);
    this.#pulled = this.place({ y: this.#targets });
  }

  override gradients(
    weights: Pointer,
    intercepts: Pointer,
    gradients: Pointer,
    interceptGradients: Pointer,
    losses: Pointer,
  ): void {
    if (this.loss !== "squared" || this.bound === Infinity) {
      super.gradients(weights, intercepts, gradients, interceptGradients, losses);
      return;
    }
    this.#pullTargets(weights, intercepts);
    super.gradients(weights, intercepts, gradients, interceptGradients, losses, this.#pulled);
  }

  /** The largest |loss'| of the squared loss at these models, unclipped. */
  largestSlope(weights: Pointer): number {
    const { core, rows } = this;
    this.predict(weights, 0, this.#margins);
    const p = core.arena.view(this.#margins, rows);
    const y = core.arena.view(this.y, rows);
    return p.reduce((most, value, j) => Math.max(most, Math.abs(value - y[j]!)), 0);
  }

  #pullTargets(weights: Pointer, intercepts: Pointer): void {
    const { arena } = this.core;
    this.predict(weights, intercepts, this.#margins);
    const p = arena.view(this.#margins, this.rows);
    const y = arena.view(this.y, this.rows);
    const targets = arena.view(this.#targets, this.rows);
    const bound = this.bound;
    for (let j = 0; j < p.length; j++) {
      const slope = p[j]! - y[j]!;
      targets[j] = Math.abs(slope) <= bound ? y[j]! : p[j]! - Math.sign(slope) * bound;
    }
  }
}
