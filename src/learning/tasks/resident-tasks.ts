/**
 * A task set placed once in the kernels' memory, ready for batched losses and gradients.
 * @module
 */
import type { Arena, Core, Pointer } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { lossCurvature, marginLossCode, type LossName, type LossScale } from "./losses.js";

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
  readonly x: Pointer;
  readonly y: Pointer;
  readonly offsets: Pointer;
  readonly scales: Pointer;

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
    this.x = arena.copyOf(tasks.x, "the feature matrix");
    this.y = arena.copyOf(y, "the targets");
    this.offsets = arena.bytes(4 * (this.m + 1));
    arena.words(this.offsets, this.m + 1).set(tasks.offsets);
    this.scales = arena.f64(this.m);
    const scales = arena.view(this.scales, this.m);
    for (let i = 0; i < this.m; i++) {
      scales[i] = options.lossScale === "sum" ? 1 : 1 / (tasks.offsets[i + 1]! - tasks.offsets[i]!);
    }
  }

  /** Rows of the largest task, at least 1. */
  get mostRows(): number {
    const offsets = this.core.arena.words(this.offsets, this.m + 1);
    let largest = 1;
    for (let i = 0; i < this.m; i++) largest = Math.max(largest, offsets[i + 1]! - offsets[i]!);
    return largest;
  }

  /** The same tasks with other features, X[N, d] in this core's memory. */
  withFeatures(x: Pointer, d: number): ResidentTasks {
    const result = Object.create(ResidentTasks.prototype) as ResidentTasks;
    return Object.assign(result, this, { x, d });
  }

  /** losses[i] = L_i (0: not wanted), gradients[m,d] and interceptGradients[m] at (weights, intercepts). */
  gradients(
    weights: Pointer,
    intercepts: Pointer,
    gradients: Pointer,
    interceptGradients: Pointer,
    losses: Pointer = 0,
  ): void {
    this.core.kernels.taskGradients(
      marginLossCode(this.loss),
      this.x,
      this.y,
      this.offsets,
      this.scales,
      weights,
      intercepts,
      gradients,
      interceptGradients,
      losses,
      this.m,
      this.d,
    );
  }

  /** losses[i] = L_i at (weights, intercepts). */
  losses(weights: Pointer, intercepts: Pointer, losses: Pointer): void {
    this.core.kernels.taskLosses(
      marginLossCode(this.loss),
      this.x,
      this.y,
      this.offsets,
      this.scales,
      weights,
      intercepts,
      losses,
      this.m,
      this.d,
    );
  }

  /** Smoothness of every L_i measured on the data: for non-private methods, or a task's own use. */
  smoothness(): Float64Array {
    const { arena, kernels } = this.core;
    const mark = arena.mark();
    const out = arena.f64(this.m);
    const d = this.d + (this.intercept ? 1 : 0);
    const work = arena.bytes(kernels.taskCurvaturesWorkspace(d));
    kernels.taskCurvatures(
      this.x,
      this.offsets,
      this.scales,
      out,
      this.m,
      this.d,
      this.intercept ? 1 : 0,
      work,
    );
    const result = arena.view(out, this.m).map((value) => value * lossCurvature(this.loss));
    arena.release(mark);
    return result;
  }

  /**
   * Every task alone: argmin L_i(w, b) + (1/2)(w - a)^T P (w - a), exactly (Cholesky for the
   * squared loss, damped Newton else), from and into `weights`.
   *
   * @param precision P[d,d], symmetric positive definite.
   * @param center a[d], or 0 for the origin.
   * @param tolerance of Newton's method: objective above its minimum, relative to 1 + F.
   * @throws RangeError naming the task whose system is singular.
   */
  solve(
    precision: Pointer,
    center: Pointer,
    weights: Pointer,
    intercepts: Pointer,
    tolerance = NEWTON_TOLERANCE,
  ): void {
    if (this.loss === "squared") {
      this.ridge(precision, center, weights, intercepts, 0);
      return;
    }
    const all = { first: 0, count: this.m };
    this.#newton({ precision, penalties: 0, center }, weights, intercepts, all, tolerance);
  }

  /**
   * `solve` with P_i = penalties[i] I around the origin, for losses other than the squared.
   * @param penalties [m], > 0.
   */
  solveEach(penalties: Float64Array, weights: Pointer, intercepts: Pointer): void {
    const { arena } = this.core;
    const mark = arena.mark();
    const prior = { precision: 0, penalties: arena.copyOf(penalties), center: 0 };
    this.#newton(prior, weights, intercepts, { first: 0, count: this.m }, NEWTON_TOLERANCE);
    arena.release(mark);
  }

  #newton(
    { precision, penalties, center }: { precision: Pointer; penalties: Pointer; center: Pointer },
    weights: Pointer,
    intercepts: Pointer,
    { first, count }: { first: number; count: number },
    tolerance: number,
  ): void {
    const { arena, kernels } = this.core;
    const mark = arena.mark();
    const work = arena.bytes(kernels.taskNewtonWorkspace(this.d));
    const failed = kernels.taskNewton(
      marginLossCode(this.loss),
      this.x,
      this.y,
      this.offsets + 4 * first,
      this.scales + 8 * first,
      precision,
      penalties,
      center,
      weights,
      intercepts,
      count,
      this.d,
      tolerance,
      NEWTON_ITERATIONS,
      work,
    );
    arena.release(mark);
    refuse(failed && failed + first);
  }

  /**
   * `solve` for one task.
   * @param precision P[d,d], symmetric; semidefinite will do where the loss makes up for it.
   * @param weights w[d], the start and the result; `intercept` b[1], or 0 for none.
   */
  solveTask(
    task: number,
    precision: Pointer,
    center: Pointer,
    weights: Pointer,
    intercept: Pointer = 0,
  ): void {
    if (this.loss !== "squared") {
      const one = { first: task, count: 1 };
      const prior = { precision, penalties: 0, center };
      this.#newton(prior, weights, intercept, one, NEWTON_TOLERANCE);
      return;
    }
    const { arena, kernels } = this.core;
    const mark = arena.mark();
    const work = arena.bytes(kernels.taskRidgeWorkspace(this.d));
    const failed = kernels.taskRidge(
      this.x,
      this.y,
      this.offsets + 4 * task,
      this.scales + 8 * task,
      precision,
      center,
      weights,
      intercept,
      0,
      1,
      this.d,
      work,
    );
    arena.release(mark);
    refuse(failed && task + 1);
  }

  /**
   * As `solve`, for the squared loss of the targets whatever the loss is.
   * @param leaveOneOut f64[N] for the prediction of each row by the model without it, or 0.
   */
  ridge(
    precision: Pointer,
    center: Pointer,
    weights: Pointer,
    intercepts: Pointer,
    leaveOneOut: Pointer,
  ): void {
    const { arena, kernels } = this.core;
    const mark = arena.mark();
    const work = arena.bytes(kernels.taskRidgeWorkspace(this.d));
    const failed = kernels.taskRidge(
      this.x,
      this.y,
      this.offsets,
      this.scales,
      precision,
      center,
      weights,
      intercepts,
      leaveOneOut,
      this.m,
      this.d,
      work,
    );
    arena.release(mark);
    refuse(failed);
  }

  /**
   * Every task's ridge model (squared loss of the targets) with the weight, of `penalties`, that has
   * the least mean squared leave-one-out error on the task's own rows.
   *
   * @param parts also the models without each of so many folds of a task's rows, with its choice.
   * @returns W[m, d], b[m] (zeros without intercepts), and which weight each task chose, [m].
   */
  ridgePath(penalties: Float64Array, parts = 0): RidgePath {
    const { arena, kernels } = this.core;
    const { m, d } = this;
    const mark = arena.mark();
    const weights = arena.f64(m * d);
    const intercepts = arena.zeros(m);
    const chosen = arena.f64(m);
    const errors = arena.f64(m);
    const candidates = arena.copyOf(penalties);
    const offsets = arena.words(this.offsets, m + 1);
    let count = 0;
    for (let i = 0; i < m; i++) {
      const n = offsets[i + 1]! - offsets[i]!;
      if (n > 1) count += Math.min(n, parts);
    }
    const foldWeights = arena.f64(count * d, "the tasks' models on folds");
    const foldIntercepts = arena.zeros(count);
    const work = arena.bytes(kernels.taskRidgePathWorkspace(this.mostRows, d));
    const failed = kernels.taskRidgePath(
      this.x,
      this.y,
      this.offsets,
      this.scales,
      candidates,
      penalties.length,
      weights,
      this.intercept ? intercepts : 0,
      chosen,
      errors,
      parts,
      foldWeights,
      foldIntercepts,
      m,
      d,
      work,
    );
    refuse(failed);
    const result = {
      folds: {
        weights: arena.view(foldWeights, count * d).slice(),
        intercepts: arena.view(foldIntercepts, count).slice(),
      },
      weights: arena.view(weights, m * d).slice(),
      intercepts: arena.view(intercepts, m).slice(),
      chosen: arena.view(chosen, m).slice(),
      errors: arena.view(errors, m).slice(),
    };
    arena.release(mark);
    return result;
  }
}

/** What `ridgePath` finds, a row or an entry per task. */
export interface RidgePath {
  readonly weights: Float64Array;
  readonly intercepts: Float64Array;
  /** Positions in the list of candidates. */
  readonly chosen: Float64Array;
  /** Mean squared leave-one-out errors of the chosen. */
  readonly errors: Float64Array;
  /**
   * Models without a fold, the folds of task 0, then of task 1, ...: fold k of n rows leaves out rows
   * k, k + parts, ..., for k < min(parts, n); a task of one row has none.
   */
  readonly folds: { readonly weights: Float64Array; readonly intercepts: Float64Array };
}

/** lambda I, [d, d], in the arena. */
export function scaledIdentity(arena: Arena, d: number, lambda: number): Pointer {
  const at = arena.zeros(d * d);
  const matrix = arena.view(at, d * d);
  for (let j = 0; j < d; j++) matrix[j * (d + 1)] = lambda;
  return at;
}

/** @throws RangeError if a kernel returned 1 + the position of a task, not 0. */
export function refuse(failed: number): void {
  if (failed === 0) return;
  throw new RangeError(
    `task ${failed - 1}: the local problem has no unique minimum in double precision; ` +
      `use a larger penalty.`,
  );
}

const NEWTON_TOLERANCE = 1e-14;
const NEWTON_ITERATIONS = 100;
