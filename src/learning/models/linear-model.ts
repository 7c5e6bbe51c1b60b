/**
 * The linear model for any loss, on the batched kernels: parameters W[d, k], row-major.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { ofSparse, timesSparse } from "./sparse-products.js";
import { moveTaskData } from "../tasks/task-data.js";
import { rowsOf, scaleOf, type Batch, type ResidentModel } from "./resident-model.js";

/** z = x^T W; squared or logistic loss (k = 1), or softmax (k = C classes). */
export class LinearModel implements ResidentModel {
  readonly tasks: ResidentTasks;
  readonly outputs: number;
  readonly parameters: number;
  readonly convex = true;
  /** The kernels' record of the task in hand; its offsets hold row numbers of the whole set. */
  readonly #record: Pointer;
  #task = 0;
  readonly #value: Pointer;
  /** Of the softmax loss. Products have theirs for the time of a call: a participant in a process of thousands has a model of its own. */
  readonly #work: Pointer;

  /** @param outputs C for the softmax loss, else 1. */
  constructor(tasks: ResidentTasks, outputs: number) {
    const { core, d } = tasks;
    const { arena, kernels } = core;
    this.tasks = tasks;
    this.outputs = outputs;
    this.parameters = d * outputs;
    this.#record = tasks.placeRange(0, 1, outputs);
    this.#value = arena.f64(1);
    this.#work = arena.bytes(
      tasks.loss === "softmax" ? kernels.softmaxGradientsWorkspace(d, outputs) : 0,
    );
  }

  valueAndGradient(task: number, parameters: Pointer, gradient: Pointer, batch?: Batch): number {
    const { core, loss } = this.tasks;
    const { kernels, arena } = core;
    const data = this.#record;
    const { offsets, scales } = this.tasks;
    if (task !== this.#task) moveTaskData(core, data, offsets + 4 * task, scales + 8 * task);
    this.#task = task;
    if (batch) {
      const { at, count } = batch;
      const scale = (scaleOf(this.tasks, task) * rowsOf(this.tasks, task).n) / count;
      return loss === "softmax"
        ? kernels.softmaxBatchGradient(data, at, count, scale, parameters, gradient, this.#work)
        : kernels.taskBatchGradient(data, at, count, scale, parameters, gradient);
    }
    if (loss === "softmax") {
      kernels.softmaxGradients(data, parameters, gradient, this.#value, this.#work);
    } else {
      kernels.taskGradients(data, parameters, 0, gradient, 0, this.#value);
    }
    return arena.view(this.#value, 1)[0]!;
  }

  predict(task: number, parameters: Pointer, out: Pointer): void {
    const { core, d } = this.tasks;
    const { arena, kernels } = core;
    const { from, n } = rowsOf(this.tasks, task);
    if (!this.tasks.isDense) return timesSparse(this.tasks, task, parameters, out, this.outputs);
    const mark = arena.mark();
    const x = this.tasks.wideRows(from, n);
    const work = arena.bytes(kernels.gemmWorkspace(n, d, this.outputs));
    kernels.gemm(x, parameters, out, n, d, this.outputs, work);
    arena.release(mark);
  }

  pullback(task: number, _parameters: Pointer, slopes: Pointer, gradient: Pointer): void {
    const { core, d } = this.tasks;
    const { arena, kernels } = core;
    const { from, n } = rowsOf(this.tasks, task);
    if (!this.tasks.isDense) return ofSparse(this.tasks, task, slopes, gradient, this.outputs);
    const mark = arena.mark();
    const transposed = arena.f64(d * n);
    const wide = arena.mark();
    kernels.transpose(this.tasks.wideRows(from, n), transposed, n, d);
    arena.release(wide);
    const work = arena.bytes(kernels.gemmWorkspace(d, n, this.outputs));
    kernels.gemm(transposed, slopes, gradient, d, n, this.outputs, work);
    arena.release(mark);
  }
}
