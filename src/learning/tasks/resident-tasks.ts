/**
 * A task set placed once in the kernels' memory, ready for batched losses and gradients.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { LOSS_CODES, lossCurvature, type LossName, type LossScale } from "./losses.js";
import { placeTaskData, type TaskDataFields } from "./task-data.js";

/**
 * Data of m tasks in WebAssembly memory: X[N,d], y[N], row offsets, c_i. Nothing is copied again
 * after construction; every round reads it in place.
 */
export class ResidentTasks {
  readonly core: Core;
  readonly m: number;
  readonly d: number;
  readonly rows: number;
  readonly loss: LossName;
  readonly lossScale: LossScale;
  readonly intercept: boolean;
  /**
   * Weight of a task of average size, in the units of the loss: 1 for "mean", N/m of the whole run for
   * "sum". Public, and what penalties meant for "mean" are multiplied by.
   */
  readonly unit: number;
  /** Whether the ranges of all features, and of the target, are declared. */
  readonly known: { readonly features: boolean; readonly target: boolean };
  readonly x: Pointer;
  readonly y: Pointer;
  readonly offsets: Pointer;
  readonly scales: Pointer;
  /** The kernels' record of all that. */
  readonly at: Pointer;

  /**
   * @param y targets as the loss wants them (-1 / +1 for `logistic`), shape [N].
   * @param sizes tasks and rows of the whole run, where these tasks are a part of it.
   * @throws HostError if the data would not fit the address space, before anything is copied.
   */
  constructor(
    core: Core,
    tasks: TaskSet,
    y: Float64Array,
    options: { loss: LossName; lossScale: LossScale; intercept?: boolean },
    sizes: { readonly m: number; readonly rows: number } = { m: tasks.m, rows: tasks.size },
  ) {
    const { arena } = core;
    this.core = core;
    this.m = tasks.m;
    this.d = tasks.d;
    this.rows = tasks.size;
    this.loss = options.loss;
    this.lossScale = options.lossScale;
    this.intercept = options.intercept ?? false;
    this.unit = options.lossScale === "sum" ? sizes.rows / sizes.m : 1;
    // Data, a dozen [m,d] blocks of the solvers, and d x d work: refuse early what cannot fit.
    const expected = 8 * (this.rows * (this.d + 2) + 12 * this.m * this.d + 8 * this.d * this.d);
    arena.require(expected, `A fit of ${this.m} tasks, ${this.rows} rows, ${this.d} features`);
    const { columns, target } = tasks.encoding;
    this.known = {
      features: columns.every(({ scale }) => scale !== null),
      target: target.scale !== null,
    };
    this.x = arena.copyOf(tasks.x, "the feature matrix");
    this.y = arena.copyOf(y, "the targets");
    this.offsets = arena.bytes(4 * (this.m + 1));
    arena.words(this.offsets, this.m + 1).set(tasks.offsets);
    this.scales = arena.f64(this.m);
    const scales = arena.view(this.scales, this.m);
    for (let i = 0; i < this.m; i++) {
      scales[i] = options.lossScale === "sum" ? 1 : 1 / (tasks.offsets[i + 1]! - tasks.offsets[i]!);
    }
    this.at = this.place();
  }

  /** Another record of these tasks, with other fields. */
  place(changes: Partial<TaskDataFields> = {}): Pointer {
    const { core, x, y, offsets, scales, m, d } = this;
    const loss = LOSS_CODES[this.loss];
    return placeTaskData(core, { x, y, offsets, scales, m, d, loss, outputs: 1, ...changes });
  }

  /** The record of `count` tasks from task `first` on. */
  placeRange(first: number, count: number, outputs = 1): Pointer {
    const [offsets, scales] = [this.offsets + 4 * first, this.scales + 8 * first];
    return this.place({ offsets, scales, m: count, outputs });
  }

  /** Rows of the largest task, at least 1. */
  get mostRows(): number {
    const offsets = this.core.arena.words(this.offsets, this.m + 1);
    let largest = 1;
    for (let i = 0; i < this.m; i++) largest = Math.max(largest, offsets[i + 1]! - offsets[i]!);
    return largest;
  }

  /** The same tasks with other features, X[N, d], and targets y[N] in this core's memory. */
  withFeatures(x: Pointer, d: number, y = this.y): ResidentTasks {
    return changed(this, { x, d, y });
  }

  /** The same rows with other features, X[N, d], no intercept, and losses that are sums over rows. */
  summed(x: Pointer, d: number): ResidentTasks {
    const scales = this.core.arena.f64(this.m);
    this.core.arena.view(scales, this.m).fill(1);
    return changed(this, { x, d, lossScale: "sum", intercept: false, scales });
  }

  /** p[N] <- every row's margin under its own task's model. */
  predict(weights: Pointer, intercepts: Pointer, p: Pointer): void {
    this.core.kernels.taskPredict(this.at, weights, intercepts, p);
  }

  /**
   * losses[i] = L_i (0: not wanted), gradients[m,d] and interceptGradients[m] at (weights, intercepts).
   * @param data the kernels' record, default the tasks' own; of one with other targets for those.
   */
  gradients(
    weights: Pointer,
    intercepts: Pointer,
    gradients: Pointer,
    interceptGradients: Pointer,
    losses: Pointer = 0,
    data: Pointer = this.at,
  ): void {
    const { kernels } = this.core;
    kernels.taskGradients(data, weights, intercepts, gradients, interceptGradients, losses);
  }

  /** losses[i] = L_i at (weights, intercepts). */
  losses(weights: Pointer, intercepts: Pointer, losses: Pointer): void {
    this.core.kernels.taskLosses(this.at, weights, intercepts, losses);
  }

  /** Smoothness of every L_i measured on the data: for non-private methods, or a task's own use. */
  smoothness(): Float64Array {
    const { arena, kernels } = this.core;
    const mark = arena.mark();
    const out = arena.f64(this.m);
    const d = this.d + (this.intercept ? 1 : 0);
    const work = arena.bytes(kernels.taskCurvaturesWorkspace(d));
    kernels.taskCurvatures(this.at, this.intercept ? 1 : 0, out, work);
    const result = arena.view(out, this.m).map((value) => value * lossCurvature(this.loss));
    arena.release(mark);
    return result;
  }
}

/** The same tasks but for these fields, with a record of their own. */
function changed(
  tasks: ResidentTasks,
  changes: Partial<Omit<ResidentTasks, "core">>,
): ResidentTasks {
  const result = Object.create(ResidentTasks.prototype) as ResidentTasks;
  Object.assign(result, tasks, changes);
  return Object.assign(result, { at: result.place() });
}
