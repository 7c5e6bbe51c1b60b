/**
 * The tasks' half of PMTL, FedAvg and FedProx: local steps towards the shared model, and the clipped
 * update that is shared.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import { LinearModel } from "../differentiable/linear-model.js";
import type { ResidentModel } from "../differentiable/resident-model.js";
import type { Participants } from "../round/participants.js";
import type { MiniBatches } from "./mini-batches.js";
import { Minimizer } from "./minimize.js";

/** What an update is relative to. */
export type UpdateForm = "from-global" | "from-local";

/** How the batch of tasks steps. */
export interface FederatedStepsOptions {
  /** Leading parameters that are shared; the rest (intercepts) never leave their task. */
  readonly shared: number;
  /** Where local steps start: from the task's own model, or from the shared one. */
  readonly start: "own" | "global";
  /** Weight of (lambda / 2) ||w_k - w~||^2. */
  readonly lambda: number;
  /** E gradient steps, or the exact minimum. */
  readonly localSteps: number | "solve";
  /** Absent: every step uses all of the task's rows. */
  readonly batches?: MiniBatches | undefined;
  /** Step size of every task, [m], for a weight lambda. */
  readonly steps: (lambda: number) => Float64Array;
  /** gamma, bound on the l2 norm of every update. */
  readonly clip: number;
  readonly update: UpdateForm;
  /** w(0) of every task, [parameters]. */
  readonly initial: Float64Array;
}

/** Precision to which a softmax task is solved: objective above its minimum, relative to 1 + F. */
const SOLVE_TOLERANCE = 1e-12;
const SOLVE_ITERATIONS = 1000;
/** A task with one class has no best intercept; this many steps towards it are enough. */
const INTERCEPT_ITERATIONS = 50;

/** Where a batch of tasks stands after a message, copied out of the core. */
export interface Standing {
  readonly models: Float64Array;
  readonly global: Float64Array;
}

/** A batch of tasks; model k is row k of `models`. */
export class FederatedSteps implements Participants {
  readonly m: number;
  readonly d: number;
  /** w_k of every task, [m, parameters]. */
  readonly models: Pointer;
  /** w~, padded with zeros to [parameters]. */
  readonly global: Pointer;
  readonly #model: ResidentModel;
  readonly #options: FederatedStepsOptions;
  readonly #shared: Pointer;
  readonly #gradient: Pointer;
  readonly #precision: Pointer;
  readonly #minimizer: Minimizer | undefined;
  #lambda = 0;
  #steps: Float64Array = new Float64Array(0);

  constructor(model: ResidentModel, options: FederatedStepsOptions) {
    const { core, m } = model.tasks;
    const { arena } = core;
    const { shared, lambda, initial, localSteps } = options;
    const size = model.parameters;
    this.m = m;
    this.d = shared;
    this.#model = model;
    this.#options = options;
    this.models = arena.f64(m * size, "the tasks' models");
    for (let i = 0; i < m; i++) arena.view(this.models + 8 * i * size, size).set(initial);
    this.global = arena.zeros(size);
    arena.view(this.global, shared).set(initial.subarray(0, shared));
    this.#shared = arena.f64(m * shared, "the tasks' updates");
    this.#gradient = arena.f64(size);
    const solve = localSteps === "solve";
    const newton = solve && model instanceof LinearModel && model.outputs === 1;
    this.#minimizer = solve && !newton ? new Minimizer(core, size) : undefined;
    this.#precision = newton ? arena.zeros(size * size) : 0;
    this.#hold(lambda);
  }

  /** Sets the weight of the proximal term, and what follows from it. */
  #hold(lambda: number): void {
    const { parameters: size, tasks } = this.#model;
    this.#lambda = lambda;
    this.#steps = this.#options.steps(lambda);
    if (this.#precision === 0) return;
    // Nothing pulls on the private parameters.
    const precision = tasks.core.arena.view(this.#precision, size * size);
    for (let j = 0; j < this.d; j++) precision[j * (size + 1)] = lambda;
  }

  /** Local work of the participants of this round; everyone else's row is zero. */
  share(_round: number, marks?: Uint8Array): Pointer {
    const { kernels, arena } = this.#model.tasks.core;
    const { clip } = this.#options;
    for (let i = 0; i < this.m; i++) {
      const row = this.#shared + 8 * i * this.d;
      if (!marks || marks[i] === 1) this.#update(i, row);
      else arena.view(row, this.d).fill(0);
    }
    kernels.clipRows(this.#shared, this.#shared, this.m, this.d, clip);
    return this.#shared;
  }

  /** Takes the new shared model. */
  receive(message: Pointer): void {
    this.#copy(message, this.global, this.d);
  }

  /**
   * What follows the last message, and shares nothing: every task that keeps a model of its own steps
   * once more, so that the last release is used too, and one that takes the shared model fits its
   * intercepts to it. Stops after each task.
   * @param strength factor of lambda.
   */
  *conclude(strength = 1): Generator<void, void> {
    const { start, lambda } = this.#options;
    this.#hold(strength * lambda);
    for (let i = 0; i < this.m; i++) {
      if (start === "own") this.#improve(i);
      else this.#adopt(i);
      yield;
    }
    this.#hold(lambda);
  }

  /** Copies of the tasks' models and of the shared one. */
  standing(): Standing {
    const { parameters: size, tasks } = this.#model;
    const { arena } = tasks.core;
    return {
      models: arena.view(this.models, this.m * size).slice(),
      global: arena.view(this.global, size).slice(),
    };
  }

  /** Goes back to where the tasks stood. */
  goBack({ models, global }: Standing): void {
    const { arena } = this.#model.tasks.core;
    arena.view(this.models, models.length).set(models);
    arena.view(this.global, global.length).set(global);
  }

  /** The shared model with private parameters that minimise L_i beside it. */
  #adopt(i: number): void {
    const { core } = this.#model.tasks;
    const own = this.#own(i);
    this.#copy(this.global, own, this.d);
    const free = this.#model.parameters - this.d;
    if (free === 0) return;
    const mark = core.arena.mark();
    const tail = own + 8 * this.d;
    const at = core.arena.f64(free);
    this.#copy(tail, at, free);
    const evaluate = (trial: Pointer, gradient: Pointer) => {
      this.#copy(trial, tail, free);
      const loss = this.#model.valueAndGradient(i, own, this.#gradient);
      this.#copy(this.#gradient + 8 * this.d, gradient, free);
      return loss;
    };
    new Minimizer(core, free).minimize(evaluate, at, {
      squaredTolerance: SOLVE_TOLERANCE,
      maxIterations: INTERCEPT_ITERATIONS,
    });
    this.#copy(at, tail, free);
    core.arena.release(mark);
  }

  #own(i: number): Pointer {
    return this.models + 8 * i * this.#model.parameters;
  }

  /** Improves model i and writes its update, before clipping. */
  #update(i: number, row: Pointer): void {
    const { kernels, arena } = this.#model.tasks.core;
    const own = this.#own(i);
    this.#copy(this.#options.update === "from-local" ? own : this.global, row, this.d);
    this.#improve(i);
    const change = arena.view(row, this.d);
    const now = arena.view(own, this.d);
    for (let j = 0; j < change.length; j++) change[j] = now[j]! - change[j]!;
    // No clip bounds a NaN: an update that overflowed is no update.
    if (!Number.isFinite(kernels.dot(row, row, this.d))) arena.view(row, this.d).fill(0);
  }

  /** The local steps of one task; a model that diverged starts again from the shared one. */
  #improve(i: number): void {
    const { kernels } = this.#model.tasks.core;
    const { start, localSteps } = this.#options;
    const [own, size] = [this.#own(i), this.#model.parameters];
    if (start === "global") this.#copy(this.global, own, this.d);
    if (localSteps === "solve") this.#solve(i, own);
    else for (let step = 0; step < localSteps; step++) this.#step(i, own);
    if (!Number.isFinite(kernels.dot(own, own, size))) this.#copy(this.global, own, size);
  }

  /** w <- w - eta (grad L(w) + lambda (w - w~)). */
  #step(i: number, own: Pointer): void {
    const { kernels } = this.#model.tasks.core;
    const { batches } = this.#options;
    const lambda = this.#lambda;
    this.#model.valueAndGradient(i, own, this.#gradient, batches?.next(i));
    if (lambda > 0) {
      kernels.axpy(lambda, own, this.#gradient, this.d);
      kernels.axpy(-lambda, this.global, this.#gradient, this.d);
    }
    kernels.axpy(-this.#steps[i]!, this.#gradient, own, this.#model.parameters);
  }

  /** argmin L(w) + (lambda / 2) ||w - w~||^2. */
  #solve(i: number, own: Pointer): void {
    const { tasks } = this.#model;
    if (!this.#minimizer) {
      tasks.solveTask(i, this.#precision, this.global, own);
      return;
    }
    const { kernels, arena } = tasks.core;
    const lambda = this.#lambda;
    const mark = arena.mark();
    const apart = arena.f64(this.d);
    this.#minimizer.minimize(
      (at, gradient) => {
        const loss = this.#model.valueAndGradient(i, at, gradient);
        this.#copy(at, apart, this.d);
        kernels.axpy(-1, this.global, apart, this.d);
        kernels.axpy(lambda, apart, gradient, this.d);
        return loss + (lambda / 2) * kernels.dot(apart, apart, this.d);
      },
      own,
      { squaredTolerance: 2 * lambda * SOLVE_TOLERANCE, maxIterations: SOLVE_ITERATIONS },
    );
    arena.release(mark);
  }

  #copy(from: Pointer, to: Pointer, n: number): void {
    const { arena } = this.#model.tasks.core;
    arena.view(to, n).set(arena.view(from, n));
  }
}
