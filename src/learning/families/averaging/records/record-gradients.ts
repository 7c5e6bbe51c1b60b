/**
 * The tasks' half where single records are hidden: in a round every task shares the sum of its rows' clipped gradients at the
 * shared model, which is a function of releases. What a task makes for itself of the last release is another's.
 * @module
 */
import type { Pointer } from "../../../../core/index.js";
import type { LinearModel } from "../../../models/linear-model.js";
import { rowsOf } from "../../../models/resident-model.js";
import { AveragingTasks } from "../updates/averaging-tasks.js";
import type { ClippedGradients } from "./clipped-gradients.js";
import type { LocalUpdates } from "../updates/local-updates.js";
import type { Conclusion } from "./record-models.js";
import type { RowSamples } from "./row-samples.js";

/** How the batch of tasks shares gradients. */
export interface RecordGradientsOptions {
  /** In units of the mean number of rows. */
  readonly gradients: ClippedGradients;
  /** Absent: all rows count. */
  readonly samples?: RowSamples | undefined;
  /** Where each task of the batch stands among all tasks of the run. */
  readonly positions: readonly number[];
  /** Bound on the l2 norm of a task's sum, where tasks are hidden too. */
  readonly taskClip?: number | undefined;
  /** Factors of the batch's sums where owners have budgets of their own. */
  readonly weights?: readonly number[] | undefined;
  /** w(0), [parameters]. */
  readonly initial: Float64Array;
  /** What follows the last broadcast. */
  readonly conclusion: Conclusion;
}

/** Tasks that share gradients of single records; `global` holds all parameters, intercepts among them. */
export class RecordGradients extends AveragingTasks {
  readonly atOnce = Number.MAX_SAFE_INTEGER;
  readonly #options: RecordGradientsOptions;

  constructor(model: LinearModel, options: RecordGradientsOptions) {
    super(model, model.parameters, options.initial);
    this.#options = options;
  }

  /** Clipped descent directions, summed over every task's rows. */
  upload(round: number): Pointer {
    const { kernels, arena } = this.model.tasks.core;
    const { gradients, samples, positions, taskClip, weights } = this.#options;
    const { uploads, uploadLength: size } = this;
    for (let i = 0; i < this.m; i++) {
      const out = uploads + 8 * i * size;
      gradients.descent(i, this.global, out, samples?.draw(round, positions[i]!, this.rowsOf(i)));
      if (taskClip !== undefined) kernels.clipRows(out, out, 1, size, taskClip);
      const weight = weights?.[i] ?? 1;
      if (weight !== 1) arena.view(out, size).forEach((x, j, own) => (own[j] = weight * x));
    }
    return uploads;
  }

  /** The shared model is all that there is to know. */
  replay(broadcasts: readonly Float32Array[]): void {
    const { arena } = this.model.tasks.core;
    arena.view(this.global, this.uploadLength).set(broadcasts.at(-1)!);
  }

  conclude(strength = 1): Generator<void, void> {
    return this.#options.conclusion(this, strength);
  }

  /** Number of rows of task i, which is public. */
  rowsOf(i: number): number {
    return rowsOf(this.model.tasks, i).n;
  }

  /** Every task's model becomes the shared one. */
  takeShared(): void {
    for (let i = 0; i < this.m; i++) this.copy(this.global, this.own(i), this.uploadLength);
  }

  /** Other tasks on the same rows get the shared model, as theirs too. */
  handOn({ models, global }: LocalUpdates): void {
    this.takeShared();
    this.copy(this.global, global, this.uploadLength);
    this.copy(this.models, models, this.m * this.uploadLength);
  }

  /** Every task's model becomes that of the same task among others. */
  takeModels({ models }: LocalUpdates): void {
    this.copy(models, this.models, this.m * this.uploadLength);
  }
}
