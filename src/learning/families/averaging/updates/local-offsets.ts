/**
 * PPSGD's half of the tasks: the model of a task is the shared one plus an offset that never leaves it, and a task shares the
 * clipped gradient at that sum.
 * @see Bietti, Wei, Dudik, Langford, Wu (2022), "Personalization improves privacy-accuracy tradeoffs in federated learning".
 * @module
 */
import type { Pointer } from "../../../../core/index.js";
import type { ResidentModel } from "../../../models/resident-model.js";
import { clipNow, type Clip } from "../../../round/learned-clip/learned-clip.js";
import type { MiniBatches } from "../../../steps/mini-batches.js";
import { AveragingTasks, type Checkpoint } from "./averaging-tasks.js";

/** How the batch of tasks steps. */
export interface LocalOffsetsOptions {
  /** Leading parameters that are shared. */
  readonly shared: number;
  /** eta > 0, of parameters that are the task's alone. */
  readonly stepSize: number;
  /** alpha >= 0: offsets take steps of alpha eta; 0 keeps them at 0. */
  readonly personalization: number;
  /** Absent: every gradient is over all of the task's rows. */
  readonly batches: MiniBatches | undefined;
  /** C, bound on the l2 norm of every gradient that is shared. */
  readonly clip: Clip;
  /** w(0), [parameters]. */
  readonly initial: Float64Array;
  /** Set where the time of a round must not tell which tasks take part: the others compute gradients too. */
  readonly idle: { readonly batches: MiniBatches | undefined } | undefined;
}

/** Tasks that share gradients; row k of `models` is w + theta_k. */
export class LocalOffsets extends AveragingTasks {
  readonly atOnce = 1;
  readonly #options: LocalOffsetsOptions;
  /** theta_k of every task, [m, parameters]; those beyond the shared ones are the task's alone. */
  readonly #offsets: Pointer;
  readonly #gradient: Pointer;

  constructor(model: ResidentModel, options: LocalOffsetsOptions) {
    const { shared, initial } = options;
    super(model, shared, initial);
    const { arena } = model.tasks.core;
    const size = model.parameters;
    this.#options = options;
    this.#offsets = arena.zeros(this.m * size);
    for (let i = 0; i < this.m; i++) {
      arena.view(this.#offset(i) + 8 * shared, size - shared).set(initial.subarray(shared));
    }
    this.#gradient = arena.f64(size);
  }

  /** Clipped descent directions of the tasks that take part, whose offsets step; everyone else's row is zero. */
  upload(_round: number, marks?: Uint8Array): Pointer {
    const { kernels, arena } = this.model.tasks.core;
    const { uploadLength: shared, uploads } = this;
    arena.view(uploads, this.m * shared).fill(0);
    this.#step(marks, (i) => kernels.axpy(-1, this.#gradient, uploads + 8 * i * shared, shared));
    kernels.clipRows(uploads, uploads, this.m, shared, clipNow(this.#options.clip));
    return uploads;
  }

  override receive(broadcast: Pointer): void {
    super.receive(broadcast);
    this.#add();
  }

  replay(broadcasts: readonly Float32Array[], marks?: Uint8Array): void {
    const { arena } = this.model.tasks.core;
    broadcasts.forEach((broadcast, r) => {
      this.#step(marks?.subarray(r * this.m, (r + 1) * this.m), () => undefined);
      arena.view(this.global, this.uploadLength).set(broadcast);
      this.#add();
    });
  }

  /** The result is w + theta_k as it stands. */
  *conclude(): Generator<void, void> {
    // Nothing is left to do.
  }

  override checkpoint(): Checkpoint {
    const { tasks, parameters } = this.model;
    const rest = tasks.core.arena.view(this.#offsets, this.m * parameters).slice();
    return { ...super.checkpoint(), rest };
  }

  override restore(checkpoint: Checkpoint): void {
    super.restore(checkpoint);
    const { tasks, parameters } = this.model;
    tasks.core.arena.view(this.#offsets, this.m * parameters).set(checkpoint.rest!);
  }

  /** Gradients at the models as they are, handed on one by one, and the offsets' own steps. */
  #step(marks: Uint8Array | undefined, share: (i: number) => void): void {
    const { kernels, arena } = this.model.tasks.core;
    const { parameters: size } = this.model;
    const { uploadLength: shared } = this;
    const { batches, idle, personalization, stepSize } = this.#options;
    for (let i = 0; i < this.m; i++) {
      const takes = !marks || marks[i] === 1;
      if (!takes && !idle) continue;
      const batch = (takes ? batches : idle!.batches)?.next(i);
      this.model.valueAndGradient(i, this.own(i), this.#gradient, batch);
      if (!takes) continue;
      const offset = this.#offset(i);
      const finite = Number.isFinite(kernels.dot(this.#gradient, this.#gradient, size));
      if (finite) {
        share(i);
        kernels.axpy(-personalization * stepSize, this.#gradient, offset, shared);
        const [rest, at] = [this.#gradient + 8 * shared, offset + 8 * shared];
        kernels.axpy(-stepSize, rest, at, size - shared);
      }
      // A model that diverges starts again from the shared one.
      if (!finite || !Number.isFinite(kernels.dot(offset, offset, size))) {
        arena.view(offset, size).fill(0);
      }
    }
  }

  /** models <- w + theta. */
  #add(): void {
    const { kernels } = this.model.tasks.core;
    this.copy(this.#offsets, this.models, this.m * this.model.parameters);
    for (let i = 0; i < this.m; i++) kernels.axpy(1, this.global, this.own(i), this.uploadLength);
  }

  #offset(i: number): Pointer {
    return this.#offsets + 8 * i * this.model.parameters;
  }
}
