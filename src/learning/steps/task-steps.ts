/**
 * Local steps of any model, task by task: gradient steps, on mini-batches too, or the exact minimum.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import { LinearModel } from "../models/linear-model.js";
import type { ResidentModel } from "../models/resident-model.js";
import { clipNow } from "../round/learned-clip/learned-clip.js";
import { trySolve } from "../tasks/solves/local-solves.js";
import type { LocalObjective, LocalSteps } from "./local-steps.js";
import type { MiniBatches } from "./mini-batches.js";
import { Minimizer } from "./minimize.js";

/** Precision to which a softmax task is solved: objective above its minimum, relative to 1 + F. */
export const SOLVE_TOLERANCE = 1e-12;
const SOLVE_ITERATIONS = 1000;

/** Steps of one task after the other. */
export class TaskSteps implements LocalSteps {
  readonly atOnce = 1;
  readonly #model: ResidentModel;
  readonly #models: Pointer;
  readonly #objective: LocalObjective;
  readonly #batches: MiniBatches | undefined;
  readonly #gradient: Pointer;
  readonly #precision: Pointer;
  readonly #minimizer: Minimizer | undefined;
  #lambda = 0;
  #steps: Float64Array | undefined;

  /**
   * @param models  w_k of every task, [m, parameters].
   * @param batches absent: every step uses all of the task's rows.
   */
  constructor(
    model: ResidentModel,
    models: Pointer,
    objective: LocalObjective,
    batches: MiniBatches | undefined,
  ) {
    const { core } = model.tasks;
    const size = model.parameters;
    this.#model = model;
    this.#models = models;
    this.#objective = objective;
    this.#batches = batches;
    this.#gradient = core.arena.f64(size);
    const solve = objective.localSteps === "solve";
    const newton =
      solve && model instanceof LinearModel && model.outputs === 1 && model.tasks.isDense;
    this.#minimizer = solve && !newton ? new Minimizer(core, size) : undefined;
    this.#precision = newton ? core.arena.zeros(size * size) : 0;
  }

  hold(lambda: number): void {
    const { parameters: size, tasks } = this.#model;
    this.#lambda = lambda;
    this.#steps = undefined;
    if (this.#precision === 0) return;
    // Nothing pulls on the private parameters.
    const precision = tasks.core.arena.view(this.#precision, size * size);
    for (let j = 0; j < this.#objective.shared; j++) precision[j * (size + 1)] = lambda;
  }

  prepare(): void {
    // A task's steps need nothing that lasts.
  }

  run(shared: Pointer, rounds: number, marks?: Uint8Array): void {
    const { parameters: size, tasks } = this.#model;
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < tasks.m; i++) {
        if (!marks || marks[round * tasks.m + i] === 1) this.#improve(i, shared + 8 * round * size);
      }
    }
  }

  #improve(i: number, global: Pointer): void {
    const { parameters: size, tasks } = this.#model;
    const { kernels, arena } = tasks.core;
    const { start, localSteps, shared } = this.#objective;
    const own = this.#models + 8 * i * size;
    const toGlobal = (n: number) => arena.view(own, n).set(arena.view(global, n));
    if (start === "global") toGlobal(shared);
    if (localSteps === "solve") this.#solve(i, own, global);
    else for (let step = 0; step < localSteps; step++) this.#step(i, own, global);
    if (!Number.isFinite(kernels.dot(own, own, size))) toGlobal(size);
  }

  /** w <- w - eta (grad L(w) + lambda (w - w~)). */
  #step(i: number, own: Pointer, global: Pointer): void {
    const { kernels } = this.#model.tasks.core;
    const { shared, steps, radius } = this.#objective;
    const lambda = this.#lambda;
    this.#model.valueAndGradient(i, own, this.#gradient, this.#batches?.next(i));
    if (lambda > 0) {
      kernels.axpy(lambda, own, this.#gradient, shared);
      kernels.axpy(-lambda, global, this.#gradient, shared);
    }
    this.#steps ??= steps(lambda);
    kernels.axpy(-this.#steps[i]!, this.#gradient, own, this.#model.parameters);
    if (radius !== undefined) kernels.clipRows(own, own, 1, shared, clipNow(radius));
  }

  /** argmin L(w) + (lambda / 2) ||w - w~||^2. */
  #solve(i: number, own: Pointer, global: Pointer): void {
    const { tasks } = this.#model;
    const { kernels, arena } = tasks.core;
    if (!this.#minimizer) {
      const prior = { precision: this.#precision, center: global };
      const solved = trySolve(tasks, i, prior, { weights: own, intercepts: 0 });
      // An end would tell of the task's rows: what has no number is replaced by the model that all have.
      if (!solved) arena.view(own, 1)[0] = NaN;
      return;
    }
    const { shared } = this.#objective;
    const lambda = this.#lambda;
    const mark = arena.mark();
    const apart = arena.f64(shared);
    this.#minimizer.minimize(
      (at, gradient) => {
        const loss = this.#model.valueAndGradient(i, at, gradient);
        arena.view(apart, shared).set(arena.view(at, shared));
        kernels.axpy(-1, global, apart, shared);
        kernels.axpy(lambda, apart, gradient, shared);
        return loss + (lambda / 2) * kernels.dot(apart, apart, shared);
      },
      own,
      { squaredTolerance: 2 * lambda * SOLVE_TOLERANCE, maxIterations: SOLVE_ITERATIONS },
    );
    arena.release(mark);
  }
}
