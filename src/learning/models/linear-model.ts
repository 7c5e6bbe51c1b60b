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
  readonly #transposed: Pointer;
  readonly #work: Pointer;

  /** @param outputs C for the softmax loss, else 1. */
  constructor(tasks: ResidentTasks, outputs: number) {
    const { core, d, m } = tasks;
    const { arena, kernels } = core;
    this.tasks = tasks;
    this.outputs = outputs;
    this.parameters = d * outputs;
    let most = 0;
    for (let i = 0; i < m; i++) most = Math.max(most, rowsOf(tasks, i).n);
    this.#record = tasks.placeRange(0, 1, outputs);
    this.#value = arena.f64(1);
    // Sparse rows are not transposed, and dense work is not for them.
    const dense = tasks.isDense ? most : 0;
    this.#transposed = arena.f64(d * dense);
    this.#work = arena.bytes(
      Math.max(
        kernels.softmaxGradientsWorkspace(d, outputs),
        kernels.gemmWorkspace(dense, d, outputs),
        kernels.gemmWorkspace(d, dense, outputs),
      ),
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
    const { from, n } = rowsOf(this.tasks, task);
    if (!this.tasks.isDense) return timesSparse(this.tasks, task, parameters, out, this.outputs);
    const mark = core.arena.mark();
    const x = this.tasks.wideRows(from, n);
    core.kernels.gemm(x, parameters, out, n, d, this.outputs, this.#work);
    core.arena.release(mark);
  }

  pullback(task: number, _parameters: Pointer, slopes: Pointer, gradient: Pointer): void {
    const { core, d } = this.tasks;
    const { from, n } = rowsOf(this.tasks, task);
    if (!this.tasks.isDense) return ofSparse(this.tasks, task, slopes, gradient, this.outputs);
    const mark = core.arena.mark();
    core.kernels.transpose(this.tasks.wideRows(from, n), this.#transposed, n, d);
    core.arena.release(mark);
    core.kernels.gemm(this.#transposed, slopes, gradient, d, n, this.outputs, this.#work);
  }
}
