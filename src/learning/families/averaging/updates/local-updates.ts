/**
 * The tasks' half of PMTL, FedAvg and FedProx: local steps towards the shared model, and the clipped
 * update that is shared.
 * @module
 */
import type { Pointer } from "../../../../core/index.js";
import { LinearModel } from "../../../models/linear-model.js";
import type { ResidentModel } from "../../../models/resident-model.js";
import { clipNow, type Clip } from "../../../round/learned-clip/learned-clip.js";
import { LocalRounds, type RoundsAhead } from "../../../steps/local-rounds.js";
import type { LocalObjective, LocalSteps } from "../../../steps/local-steps.js";
import type { MiniBatches } from "../../../steps/mini-batches.js";
import { Minimizer } from "../../../steps/minimize.js";
import { SOLVE_TOLERANCE, TaskSteps } from "../../../steps/task-steps.js";
import { AveragingTasks } from "./averaging-tasks.js";

/** What an update is relative to. */
export type UpdateForm = "from-global" | "from-local";

/** How the batch of tasks steps. */
export interface LocalUpdatesOptions extends LocalObjective {
  /** Weight of (lambda / 2) ||w_k - w~||^2. */
  readonly lambda: number;
  /** Absent: every step uses all of the task's rows. */
  readonly batches?: MiniBatches | undefined;
  /** gamma, bound on the l2 norm of every update. */
  readonly clip: Clip;
  /** "model": the model itself is shared. */
  readonly update: UpdateForm | "model";
  /** w(0) of every task, [parameters]. */
  readonly initial: Float64Array;
  readonly ahead: RoundsAhead;
  /**
   * Set where the time of a round must not tell which tasks take part: the others take the same steps on
   * copies, with mini-batches of their own.
   */
  readonly idle?: { readonly batches: MiniBatches | undefined } | undefined;
}

/** A task with one class has no best intercept; this many steps towards it are enough. */
const INTERCEPT_ITERATIONS = 50;

/** Tasks that share how far their local steps took them. */
export class LocalUpdates extends AveragingTasks {
  readonly #options: LocalUpdatesOptions;
  /** The models before a round's steps, where updates are relative to them; else 0. */
  readonly #before: Pointer;
  /** Zeros, where models are shared; else the shared model. */
  readonly #origin: Pointer;
  readonly #steps: LocalSteps;
  /** Steps on copies of the models, of tasks that take no part. */
  readonly #idle: { readonly copies: Pointer; readonly steps: LocalSteps } | undefined;

  constructor(model: ResidentModel, options: LocalUpdatesOptions) {
    const { shared, lambda, initial, update, idle } = options;
    super(model, shared, initial);
    const { core, m } = model.tasks;
    const { arena } = core;
    const size = model.parameters;
    this.#options = options;
    this.#before = update === "from-local" ? arena.f64(m * size, "the tasks' models") : 0;
    this.#origin = update === "model" ? arena.zeros(size) : this.global;
    this.#steps = stepsOf(model, this.models, options);
    this.#steps.hold(lambda);
    if (!idle) return;
    const copies = arena.f64(m * size, "copies of the tasks' models");
    this.#idle = { copies, steps: stepsOf(model, copies, { ...options, batches: idle.batches }) };
    this.#idle.steps.hold(lambda);
  }

  /** Local work of the participants of this round; everyone else's row is zero. */
  upload(_round: number, marks?: Uint8Array): Pointer {
    const { kernels, arena } = this.model.tasks.core;
    const { parameters: size } = this.model;
    const [upload, before] = [this.uploads, this.#before];
    this.#prepare();
    if (before !== 0) this.copy(this.models, before, this.m * size);
    this.#run(this.global, 1, marks);
    const [base, step] = before === 0 ? [this.#origin, 0] : [before, size];
    const mark = arena.mark();
    const marked = marks ? arena.bytes(4 * this.m) : 0;
    if (marks) arena.words(marked, this.m).set(marks);
    kernels.taskUpdates(this.models, base, step, marked, upload, this.m, size, this.uploadLength);
    arena.release(mark);
    kernels.clipRows(upload, upload, this.m, this.uploadLength, clipNow(this.#options.clip));
    return upload;
  }

  get atOnce(): number {
    return this.#steps.atOnce;
  }

  replay(broadcasts: readonly Float32Array[], marks?: Uint8Array): void {
    const { arena } = this.model.tasks.core;
    const { parameters: size } = this.model;
    const last = broadcasts.length - 1;
    // Where all parameters are the shared model's, its last state is all there is to know.
    if (this.#options.start === "own" || this.uploadLength < size) {
      this.#prepare();
      const mark = arena.mark();
      const path = arena.zeros(broadcasts.length * size);
      this.copy(this.global, path, size);
      for (let r = 0; r < last; r++)
        arena.view(path + 8 * (r + 1) * size, this.uploadLength).set(broadcasts[r]!);
      this.#run(path, broadcasts.length, marks);
      arena.release(mark);
    }
    arena.view(this.global, this.uploadLength).set(broadcasts[last]!);
  }

  /**
   * What follows the last broadcast, and shares nothing: every task that keeps a model of its own steps
   * once more, so that the last release is used too, and one that takes the shared model fits its
   * intercepts to it. Stops now and then.
   * @param strength factor of lambda.
   */
  *conclude(strength = 1): Generator<void, void> {
    const { start, lambda } = this.#options;
    if (start === "own") {
      this.#steps.hold(strength * lambda);
      this.#steps.run(this.global, 1);
      this.#steps.hold(lambda);
      yield;
      return;
    }
    const { arena } = this.model.tasks.core;
    const mark = arena.mark();
    const adopt = this.#adoption();
    for (let i = 0; i < this.m; i++) {
      adopt(i);
      yield;
    }
    arena.release(mark);
  }

  #prepare(): void {
    this.#steps.prepare();
    this.#idle?.steps.prepare();
  }

  /** Steps of the tasks that take part and, where nobody is to see who does, those of the others on copies. */
  #run(shared: Pointer, rounds: number, marks: Uint8Array | undefined): void {
    if (marks && this.#idle) {
      const { copies, steps } = this.#idle;
      this.copy(this.models, copies, this.m * this.model.parameters);
      steps.run(
        shared,
        rounds,
        marks.map((mark) => 1 - mark),
      );
    }
    this.#steps.run(shared, rounds, marks);
  }

  /** Gives a task the shared model, with private parameters that minimise L_i beside it; in memory that the caller releases. */
  #adoption(): (i: number) => void {
    const { core } = this.model.tasks;
    const free = this.model.parameters - this.uploadLength;
    if (free === 0) return (i) => this.copy(this.global, this.own(i), this.uploadLength);
    const [at, slopes] = [core.arena.f64(free), core.arena.f64(this.model.parameters)];
    const minimizer = new Minimizer(core, free);
    return (i) => {
      const own = this.own(i);
      const tail = own + 8 * this.uploadLength;
      this.copy(this.global, own, this.uploadLength);
      this.copy(tail, at, free);
      const evaluate = (trial: Pointer, gradient: Pointer) => {
        this.copy(trial, tail, free);
        const loss = this.model.valueAndGradient(i, own, slopes);
        this.copy(slopes + 8 * this.uploadLength, gradient, free);
        return loss;
      };
      minimizer.minimize(evaluate, at, {
        squaredTolerance: SOLVE_TOLERANCE,
        maxIterations: INTERCEPT_ITERATIONS,
      });
      this.copy(at, tail, free);
    };
  }
}

/** Whole rounds in a kernel where there is one; else task by task. */
function stepsOf(
  model: ResidentModel,
  models: Pointer,
  { batches, ahead, ...objective }: LocalUpdatesOptions,
): LocalSteps {
  const { localSteps } = objective;
  return model instanceof LinearModel &&
    model.tasks.loss !== "softmax" &&
    localSteps !== "solve" &&
    objective.radius === undefined &&
    !batches
    ? new LocalRounds(model.tasks, models, { ...objective, localSteps }, ahead)
    : new TaskSteps(model, models, objective, batches);
}
