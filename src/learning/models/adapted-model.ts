/**
 * A `DifferentiableModel` in TypeScript, working on views of the kernels' memory.
 *
 * One model serves all tasks of a batch, and it may be anybody's. So it is handed a copy of the parameters, which may be those that all
 * tasks share, and zeros to write to: where it adds to what it should overwrite, or writes late, another task's numbers would be there.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import type { DifferentiableModel } from "./differentiable-model.js";
import { rowsOf, scaleOf, type Batch, type ResidentModel } from "./resident-model.js";

/** Hands a task's rows to the model without copying; a mini-batch's are gathered. */
export class AdaptedModel implements ResidentModel {
  readonly tasks: ResidentTasks;
  readonly model: DifferentiableModel;
  readonly parameters: number;
  readonly outputs: number;
  readonly convex = false;
  readonly #parameters: Float64Array;
  readonly #x: Float64Array;
  readonly #y: Float64Array;

  /** @param batchSize largest mini-batch that will be asked for. */
  constructor(tasks: ResidentTasks, model: DifferentiableModel, batchSize: number) {
    this.tasks = tasks;
    this.model = model;
    this.parameters = model.parameters;
    this.outputs = model.outputs;
    this.#parameters = new Float64Array(model.parameters);
    this.#x = new Float64Array(batchSize * tasks.d);
    this.#y = new Float64Array(batchSize);
  }

  valueAndGradient(task: number, parameters: Pointer, gradient: Pointer, batch?: Batch): number {
    const { n } = rowsOf(this.tasks, task);
    const { x, y } = batch ? this.#gathered(batch) : this.#rows(task);
    const at = this.#view(gradient).fill(0);
    const mean = this.model.valueAndGradient(this.#given(parameters), x, y, at);
    this.#requireAtOnce("valueAndGradient", mean);
    const scale = scaleOf(this.tasks, task) * n;
    if (scale !== 1) for (let j = 0; j < at.length; j++) at[j]! *= scale;
    return scale * mean;
  }

  predict(task: number, parameters: Pointer, out: Pointer): void {
    const { x, y } = this.#rows(task);
    const { arena } = this.tasks.core;
    const outputs = arena.view(out, y.length * this.outputs).fill(0);
    const answer: unknown = this.model.predict(this.#given(parameters), x, outputs);
    this.#requireAtOnce("predict", answer);
  }

  pullback(task: number, parameters: Pointer, slopes: Pointer, gradient: Pointer): void {
    const { model } = this;
    if (!model.pullback) {
      throw new TypeError(
        `model: ${JSON.stringify(model.name)} has no pullback, which finetune kind ` +
          `"symmetrized-kl" needs`,
      );
    }
    const { x, y } = this.#rows(task);
    const { arena } = this.tasks.core;
    const answer: unknown = model.pullback(
      this.#given(parameters),
      x,
      arena.view(slopes, y.length * this.outputs),
      this.#view(gradient).fill(0),
    );
    this.#requireAtOnce("pullback", answer);
  }

  /** @throws TypeError for a promise: what it should have written is read at once, and later it would be written over another's. */
  #requireAtOnce(from: string, answer: unknown): void {
    if (!(answer instanceof Promise)) return;
    throw new TypeError(
      `model: ${JSON.stringify(this.model.name)}: expected ${from} to answer at once, got a promise`,
    );
  }

  /** A copy for the model: what it writes there is nobody's. */
  #given(at: Pointer): Float64Array {
    this.#parameters.set(this.#view(at));
    return this.#parameters;
  }

  #view(at: Pointer): Float64Array {
    return this.tasks.core.arena.view(at, this.parameters);
  }

  #rows(task: number): { x: Float64Array; y: Float64Array } {
    const { core, d, x, y } = this.tasks;
    const { from, n } = rowsOf(this.tasks, task);
    return { x: core.arena.view(x + 8 * from * d, n * d), y: core.arena.view(y + 8 * from, n) };
  }

  #gathered({ at, count }: Batch): { x: Float64Array; y: Float64Array } {
    const { core, d, rows, x, y } = this.tasks;
    const [allX, allY] = [core.arena.view(x, rows * d), core.arena.view(y, rows)];
    core.arena.words(at, count).forEach((row, j) => {
      this.#x.set(allX.subarray(row * d, (row + 1) * d), j * d);
      this.#y[j] = allY[row]!;
    });
    return { x: this.#x.subarray(0, count * d), y: this.#y.subarray(0, count) };
  }
}
