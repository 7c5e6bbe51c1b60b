/**
 * DP-SGD on all models as one parameter: every task shares the gradient of its own block, and every block is released with noise.
 *
 * The matrix of all blocks is a sum over tasks of vectors that are 0 but in the task's own block, so its sensitivity is that of a sum
 * of vectors. Its noise does not average out over tasks, which is why it is called naive.
 * @see Hu, Wu, Smith (2023), "Private multi-task learning", Figure 1 and appendix A.8.
 * @module
 */
import type { Core, Pointer } from "../../../../core/index.js";
import type { ResidentModel } from "../../../models/resident-model.js";
import { clipNow, type Clip } from "../../../round/learned-clip/learned-clip.js";
import { rowNorms } from "../../../votes/clip-votes.js";
import type { Participants } from "../../../round/participants.js";
import type { SharingRule } from "../../../round/sharing-rule.js";
import type { MiniBatches } from "../../../steps/mini-batches.js";

/** How the batch of tasks takes its gradients. */
export interface JointGradientsOptions {
  /** Leading parameters that are shared. */
  readonly shared: number;
  /** Tasks of the run, and the batch's positions among them, [batch]. */
  readonly tasks: number;
  readonly positions: readonly number[];
  /** Whether a task uploads its own block alone, and not all m d numbers, the rest 0. */
  readonly ownBlocks: boolean;
  /** Weight of (lambda / 2) ||w_k - mean of the models||^2. */
  readonly lambda: number;
  /** eta > 0, of parameters that are the task's alone. */
  readonly stepSize: number;
  readonly batches: MiniBatches | undefined;
  readonly clip: Clip;
  /** w(0), [parameters]. */
  readonly initial: Float64Array;
  /** Set where the time of a round must not tell which tasks take part: the others compute gradients too. */
  readonly idle: { readonly batches: MiniBatches | undefined } | undefined;
}

/** A batch of tasks, each with the model that was released for it. */
export class JointGradients implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  /** [m, parameters]. */
  readonly models: Pointer;
  readonly #model: ResidentModel;
  readonly #options: JointGradientsOptions;
  readonly #core: Core;
  readonly #mean: Pointer;
  readonly #gradient: Pointer;
  /** [m, shared]; or [m, tasks * shared], in which other tasks' blocks stay 0. */
  readonly #uploads: Pointer;

  constructor(model: ResidentModel, options: JointGradientsOptions) {
    const { core, m } = model.tasks;
    const { shared, tasks, initial, ownBlocks } = options;
    const { arena } = core;
    this.m = m;
    this.uploadLength = ownBlocks ? shared : tasks * shared;
    this.#model = model;
    this.#options = options;
    this.#core = core;
    this.models = arena.f64(m * model.parameters, "the tasks' models");
    for (let i = 0; i < m; i++) arena.view(this.#own(i), model.parameters).set(initial);
    this.#mean = arena.zeros(shared);
    arena.view(this.#mean, shared).set(initial.subarray(0, shared));
    this.#gradient = arena.f64(model.parameters);
    this.#uploads = arena.zeros(m * this.uploadLength, "the tasks' gradients");
  }

  upload(_round: number, marks?: Uint8Array): Pointer {
    const { kernels, arena } = this.#core;
    const { shared, lambda, stepSize, clip, batches, idle } = this.#options;
    const { parameters: size } = this.#model;
    const gradient = this.#gradient;
    for (let i = 0; i < this.m; i++) {
      const takes = !marks || marks[i] === 1;
      const block = this.#blockOf(i);
      arena.view(block, shared).fill(0);
      if (!takes && !idle) continue;
      const [own, batch] = [this.#own(i), (takes ? batches : idle!.batches)?.next(i)];
      this.#model.valueAndGradient(i, own, gradient, batch);
      kernels.axpy(lambda, own, gradient, shared);
      kernels.axpy(-lambda, this.#mean, gradient, shared);
      if (!takes || !Number.isFinite(kernels.dot(gradient, gradient, size))) continue;
      kernels.axpy(-stepSize, gradient + 8 * shared, own + 8 * shared, size - shared);
      kernels.axpy(-1, gradient, block, shared);
      kernels.clipRows(block, block, 1, shared, clipNow(clip));
    }
    return this.#uploads;
  }

  /** Norms of the first gradients, [m]; the models are as before. */
  firstNorms(): Float64Array {
    const { arena } = this.#core;
    const models = arena.view(this.models, this.m * this.#model.parameters).slice();
    const uploads = arena.view(this.upload(1), this.m * this.uploadLength).slice();
    arena.view(this.models, models.length).set(models);
    return rowNorms(uploads, this.m);
  }

  /** All models as released: its own, and the mean of all. */
  receive(broadcast: Pointer): void {
    const { kernels, arena } = this.#core;
    const { shared, tasks, positions } = this.#options;
    positions.forEach((position, i) => {
      arena.view(this.#own(i), shared).set(arena.view(broadcast + 8 * position * shared, shared));
    });
    arena.view(this.#mean, shared).fill(0);
    for (let k = 0; k < tasks; k++) {
      kernels.axpy(1 / tasks, broadcast + 8 * k * shared, this.#mean, shared);
    }
  }

  /** Where task i uploads its own block. */
  #blockOf(i: number): Pointer {
    const { shared, positions, ownBlocks } = this.#options;
    return this.#uploads + 8 * (i * this.uploadLength + (ownBlocks ? 0 : positions[i]! * shared));
  }

  #own(i: number): Pointer {
    return this.models + 8 * i * this.#model.parameters;
  }
}

/**
 * Broadcast: all models, W(t+1) = W(t) + stepSize S / rate, S the noisy matrix of clipped descent directions; [m d].
 * @param initial w(0) of one task, [shared].
 * @param rate part of the tasks that is expected in a round.
 * @param ownBlocks as the tasks upload.
 */
export function jointModelsRule(
  initial: Float64Array,
  {
    stepSize,
    rate,
    ownBlocks,
  }: { readonly stepSize: number; readonly rate: number; readonly ownBlocks: boolean },
): SharingRule {
  return {
    statistic: "vector",
    ownBlocks,
    broadcastLength: (_m, length) => length,
    prepare: ({ core: { arena, kernels }, d: length }) => {
      const models = arena.f64(length);
      for (let at = 0; at < length; at += initial.length) {
        arena.view(models + 8 * at, initial.length).set(initial);
      }
      return (statistic, broadcast) => {
        kernels.axpy(stepSize / rate, statistic, models, length);
        arena.view(broadcast, length).set(arena.view(models, length));
        return {
          movement: (stepSize / rate) * Math.sqrt(kernels.dot(statistic, statistic, length)),
        };
      };
    },
  };
}
