/**
 * Tasks whose models stay in a ball, and which share the models themselves: what the curator makes of them is their noisy mean.
 * @see Hu, Wu, Smith, "Private multi-task learning", workshop version.
 * @module
 */
import type { Pointer } from "../../../../core/index.js";
import type { ResidentModel } from "../../../models/resident-model.js";
import type { Checkpoint } from "./averaging-tasks.js";
import { LocalUpdates, type LocalUpdatesOptions } from "./local-updates.js";

/** What a task's model is in the end: that of the last round, or the mean of those of all rounds. */
export type ProjectedOutput = "last" | "average";

/** Projected local steps; the radius is the bound on what is shared. */
export class ProjectedModels extends LocalUpdates {
  /** Sum over the rounds of what each task stood at, [m, parameters]; 0 where it is not asked for. */
  readonly #sum: Pointer;
  #rounds = 0;

  constructor(model: ResidentModel, options: LocalUpdatesOptions, output: ProjectedOutput) {
    super(model, { ...options, update: "model", radius: options.clip });
    const { arena } = model.tasks.core;
    this.#sum = output === "average" ? arena.zeros(this.m * model.parameters) : 0;
  }

  override upload(round: number, marks?: Uint8Array): Pointer {
    const uploads = super.upload(round, marks);
    this.#add();
    return uploads;
  }

  override replay(broadcasts: readonly Float32Array[], marks?: Uint8Array): void {
    broadcasts.forEach((broadcast, r) => {
      super.replay([broadcast], marks?.subarray(r * this.m, (r + 1) * this.m));
      this.#add();
    });
  }

  override *conclude(strength = 1): Generator<void, void> {
    if (this.#sum === 0) return yield* super.conclude(strength);
    const { kernels, arena } = this.model.tasks.core;
    const length = this.m * this.model.parameters;
    arena.view(this.models, length).fill(0);
    kernels.axpy(1 / this.#rounds, this.#sum, this.models, length);
  }

  override checkpoint(): Checkpoint {
    const kept = super.checkpoint();
    if (this.#sum === 0) return kept;
    const sum = this.model.tasks.core.arena.view(this.#sum, kept.models.length);
    const rest = new Float64Array(1 + sum.length);
    rest[0] = this.#rounds;
    rest.set(sum, 1);
    return { ...kept, rest };
  }

  override restore(checkpoint: Checkpoint): void {
    super.restore(checkpoint);
    if (this.#sum === 0) return;
    const [rounds, sum] = [checkpoint.rest![0]!, checkpoint.rest!.subarray(1)];
    this.#rounds = rounds;
    this.model.tasks.core.arena.view(this.#sum, sum.length).set(sum);
  }

  #add(): void {
    if (this.#sum === 0) return;
    const { kernels } = this.model.tasks.core;
    this.#rounds++;
    kernels.axpy(1, this.models, this.#sum, this.m * this.model.parameters);
  }
}
