/**
 * A task set placed once in the kernels' memory, ready for batched losses and gradients.
 * @module
 */
import { openCore, type Core, type Pointer } from "../../core/index.js";
import { relativeWeights, type Label, type TaskSet } from "../../data/index.js";
import { knownScale, type KnownScale } from "./own-models/known-scale.js";
import type { CommonOptions } from "./common-options.js";
import { LOSS_CODES, lossCurvature, type LossName, type LossScale } from "./losses.js";
import { batchSize, residentBytes } from "./resident-size.js";
import {
  entryBytes,
  placeDense,
  ROWS_AT_ONCE,
  widened,
  type RowForm,
  type RowPrecision,
} from "./row-precision.js";
import { targetsOf } from "./targets.js";
import { placeTaskData, type TaskDataFields } from "./task-data.js";

/**
 * Data of m tasks in WebAssembly memory: X[N,d], y[N], row offsets, c_i. Nothing is copied again
 * after construction; every round reads it in place.
 */
export class ResidentTasks {
  readonly core: Core;
  readonly m: number;
  /** Of the tasks, for errors, [m]. */
  readonly names: readonly string[];
  readonly d: number;
  /** Features of the set that these tasks are of: more than d where a task is cut to the columns that it uses. */
  readonly features: number;
  readonly rows: number;
  readonly loss: LossName;
  readonly lossScale: LossScale;
  readonly intercept: boolean;
  /**
   * Weight of a task of average size, in the units of the loss: 1 for "mean", N/m of the whole run for
   * "sum". Public, and what penalties meant for "mean" are multiplied by.
   */
  readonly unit: number;
  /** Whether the ranges of all features, and of the target, are declared; by what own models of numbers multiply such features, [d]. */
  readonly known: KnownScale;
  /** X[N,d], in which numbers. */
  readonly rowsAt: Pointer;
  readonly rowPrecision: RowPrecision;
  readonly y: Pointer;
  readonly offsets: Pointer;
  readonly scales: Pointer;
  /** Weights s[N] of the rows' losses, of mean 1 in every task; 0 where all are 1. */
  readonly weights: Pointer;
  /** Of sparse rows, else 0: the columns u32 of the entries at x, and where each row's start, u32[N + 1]. */
  readonly columns: Pointer;
  readonly starts: Pointer;
  /** Of rows in Float32, else 0: where kernels have `ROWS_AT_ONCE` of them in Float64. */
  readonly wide: Pointer;
  /** The kernels' record of all that. */
  readonly at: Pointer;

  /**
   * @param y targets as the loss wants them (-1 / +1 for `logistic`), shape [N].
   * @param sizes tasks and rows of the whole run, where these tasks are a part of it.
   * @throws HostError if the data would not fit the address space, before anything is copied; DataError as `placeDense`.
   */
  constructor(
    core: Core,
    tasks: TaskSet,
    y: Float64Array,
    options: Pick<CommonOptions, "loss" | "lossScale"> & { readonly intercept?: boolean } & RowForm,
    sizes: { readonly m: number; readonly rows: number } = { m: tasks.m, rows: tasks.size },
  ) {
    const { arena } = core;
    this.core = core;
    const ones = options.constantColumn ?? false;
    this.m = tasks.m;
    this.names = tasks.names;
    this.d = ones ? tasks.d + 1 : tasks.d;
    this.features = this.d;
    this.rows = tasks.size;
    this.loss = options.loss;
    this.lossScale = options.lossScale;
    this.intercept = options.intercept ?? false;
    this.unit = options.lossScale === "sum" ? sizes.rows / sizes.m : 1;
    const { sparse } = tasks;
    const { m, d, rows } = this;
    this.rowPrecision = options.rowPrecision ?? "float64";
    // Refuse early what cannot fit.
    const expected = residentBytes({ ...batchSize(tasks), d }, this.rowPrecision);
    arena.require(expected, `A fit of ${m} tasks, ${rows} rows, ${d} features`);
    this.known = knownScale(tasks.encoding, !ones);
    const single = this.rowPrecision === "float32";
    const plain = sparse?.values ?? (single || ones ? undefined : tasks.x);
    this.rowsAt = plain
      ? arena.copyOf(plain, "the feature matrix")
      : placeDense(core, tasks, this.rowPrecision, ones);
    this.wide = single ? arena.f64(ROWS_AT_ONCE * d) : 0;
    this.columns = sparse ? copyOfWords(core, sparse.columns) : 0;
    this.starts = sparse ? copyOfWords(core, sparse.starts) : 0;
    this.y = arena.copyOf(y, "the targets");
    this.offsets = copyOfWords(core, tasks.offsets);
    const weights = relativeWeights(tasks);
    this.weights = weights ? arena.copyOf(weights, "the weights of rows") : 0;
    this.scales = arena.f64(this.m);
    const scales = arena.view(this.scales, this.m);
    for (let i = 0; i < this.m; i++) {
      scales[i] = options.lossScale === "sum" ? 1 : 1 / (tasks.offsets[i + 1]! - tasks.offsets[i]!);
    }
    this.at = this.place();
  }

  /** Another record of these tasks, with other fields. */
  place(changes: Partial<TaskDataFields> = {}): Pointer {
    const { core, rowsAt: x, y, offsets, scales, m, d, weights, columns, starts, wide } = this;
    const loss = LOSS_CODES[this.loss];
    const rows = { x, y, offsets, scales, weights, columns, starts, wide, room: ROWS_AT_ONCE };
    return placeTaskData(core, { ...rows, m, d, loss, outputs: 1, ...changes });
  }

  /**
   * A record of these tasks, or some of them, for kernels that read all rows of a task in Float64: with room for them, in memory
   * that the caller releases.
   * @param most rows that the kernel has there at once; default those of the largest task.
   */
  placeWhole({ first, count } = { first: 0, count: this.m }, most = Infinity): Pointer {
    const [offsets, scales] = [this.offsets + 4 * first, this.scales + 8 * first];
    const range = { offsets, scales, m: count };
    if (this.wide === 0) return this.place(range);
    const room = Math.min(largest(this.core.arena.words(offsets, count + 1)), most);
    return this.place({ ...range, wide: this.core.arena.f64(room * this.d), room });
  }

  /** The record of `count` tasks from task `first` on. */
  placeRange(first: number, count: number, outputs = 1): Pointer {
    const [offsets, scales] = [this.offsets + 4 * first, this.scales + 8 * first];
    return this.place({ offsets, scales, m: count, outputs });
  }

  /** X[N,d] for what reads Float64 only. */
  get x(): Pointer {
    if (this.wide === 0) return this.rowsAt;
    throw new TypeError(
      'these rows are in Float32 (rowPrecision "float32"), which is not read here.',
    );
  }

  /** Where `count` dense rows from `first` on lie in Float64: in their place, or in memory that the caller releases. */
  wideRows(first: number, count: number): Pointer {
    const { core, d, rowsAt } = this;
    if (this.wide === 0) return rowsAt + entryBytes("float64") * first * d;
    return widened(core.arena, rowsAt, first * d, count * d);
  }

  /** Whether the rows are dense. */
  get isDense(): boolean {
    return this.columns === 0;
  }

  /** Numbers at x: N d, or the entries of sparse rows. */
  get entries(): number {
    const { core, rows, starts, d } = this;
    return this.isDense ? rows * d : core.arena.words(starts + 4 * rows, 1)[0]!;
  }

  /** Copies of the weights of the rows, [N]; undefined where all are 1. */
  sampleWeights(): Float64Array | undefined {
    return this.weights === 0 ? undefined : this.core.arena.view(this.weights, this.rows).slice();
  }

  /** Rows of the largest task, at least 1. */
  get mostRows(): number {
    return largest(this.core.arena.words(this.offsets, this.m + 1));
  }

  /** The same tasks with other features, X[N, d], and targets y[N] in this core's memory. */
  withFeatures(x: Pointer, d: number, y = this.y): ResidentTasks {
    return changed(this, { ...wholly(x), d, features: d, y });
  }

  /** Task i alone with other, dense features, X[n, d] in this core's memory. */
  oneTask(i: number, x: Pointer, d: number): ResidentTasks {
    const { arena } = this.core;
    const [from, to] = arena.words(this.offsets + 4 * i, 2);
    return changed(this, {
      ...wholly(x),
      d,
      m: 1,
      names: [this.names[i]!],
      rows: to! - from!,
      y: this.y + 8 * from!,
      offsets: copyOfWords(this.core, Uint32Array.of(0, to! - from!)),
      scales: this.scales + 8 * i,
      weights: this.weights === 0 ? 0 : this.weights + 8 * from!,
    });
  }

  /** The same rows with other features, X[N, d], no intercept, and losses that are sums over rows. */
  summed(x: Pointer, d: number): ResidentTasks {
    const scales = this.core.arena.f64(this.m);
    this.core.arena.view(scales, this.m).fill(1);
    return changed(this, { ...wholly(x), d, lossScale: "sum", intercept: false, scales });
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

  /** The same, to the bit, of margins[N] that `predict` wrote without intercepts; gradients 0: not wanted. */
  gradientsOfMargins(
    margins: Pointer,
    intercepts: Pointer,
    gradients: Pointer,
    interceptGradients: Pointer,
    losses: Pointer = 0,
  ): void {
    const { kernels } = this.core;
    const out = [gradients, interceptGradients, losses] as const;
    kernels.taskGradientsOfMargins(this.at, margins, intercepts, ...out);
  }

  /** losses[i] = L_i at (weights, intercepts). */
  losses(weights: Pointer, intercepts: Pointer, losses: Pointer): void {
    this.core.kernels.taskLosses(this.at, weights, intercepts, losses);
  }

  /**
   * Smoothness of every L_i measured on the data: for non-private methods, or a task's own use.
   * @param largestOnly whether only the largest is asked for, which takes less time: those of other tasks are bounds then, no larger.
   */
  smoothness(largestOnly = false): Float64Array {
    const { arena, kernels } = this.core;
    const mark = arena.mark();
    const out = arena.f64(this.m);
    const work = arena.bytes(kernels.taskCurvaturesWorkspace(this.mostRows, this.d));
    // Of longer tasks it takes a row at a time.
    const data = this.placeWhole(undefined, this.d + 1);
    kernels.taskCurvatures(data, this.intercept ? 1 : 0, largestOnly ? 1 : 0, out, work);
    const result = arena.view(out, this.m).map((value) => value * lossCurvature(this.loss));
    arena.release(mark);
    return result;
  }
}

/** A task set placed in a core, with its targets as the loss wants them. */
export interface Placed {
  readonly tasks: ResidentTasks;
  readonly classes: readonly Label[] | null;
}

/** Where tasks are placed, and what is known beyond them. */
export interface Placing {
  /** Default: one of their own. */
  readonly core?: Core;
  /** The labels, where they are public; default those that occur. */
  readonly classes?: readonly Label[] | null | undefined;
  /** Tasks and rows of the whole run, where these tasks are a part of it. */
  readonly sizes?: { readonly m: number; readonly rows: number };
}

/**
 * Places the tasks in a core.
 * @throws DataError as {@link targetsOf}; HostError if they would not fit the address space.
 */
export function placeTasks(
  data: TaskSet,
  options: CommonOptions & RowForm,
  { core = openCore(), classes: known, sizes }: Placing = {},
): Placed {
  const { y, classes } = targetsOf(data, options.loss, known);
  return { tasks: new ResidentTasks(core, data, y, options, sizes), classes };
}

/** Rows of the largest task, at least 1. */
function largest(offsets: Uint32Array): number {
  let most = 1;
  for (let i = 1; i < offsets.length; i++) most = Math.max(most, offsets[i]! - offsets[i - 1]!);
  return most;
}

/** Dense rows in Float64. */
const wholly = (rowsAt: Pointer) =>
  ({ rowsAt, rowPrecision: "float64", wide: 0, columns: 0, starts: 0 }) as const;

/** A copy of u32s in the core. */
function copyOfWords({ arena }: Core, words: Uint32Array): Pointer {
  const at = arena.bytes(4 * words.length);
  arena.words(at, words.length).set(words);
  return at;
}

/** The same tasks but for these fields, with a record of their own. */
export function changed(
  tasks: ResidentTasks,
  changes: Partial<Omit<ResidentTasks, "core" | "x">>,
): ResidentTasks {
  const result = Object.create(ResidentTasks.prototype) as ResidentTasks;
  Object.assign(result, tasks, changes);
  return Object.assign(result, { at: result.place() });
}
