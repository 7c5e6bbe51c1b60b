/**
 * What a batch of tasks is in every method that averages: models of their own, the shared one, and uploads of one length.
 * @module
 */
import type { Core, Pointer } from "../../../../core/index.js";
import type { Replayer } from "../../../local-selection/broadcast-log.js";
import type { ResidentModel } from "../../../models/resident-model.js";
import type { Participants } from "../../../round/participants.js";

/** Where a batch of tasks stands after a broadcast, copied out of the core. */
export interface Checkpoint {
  readonly models: Float64Array;
  readonly global: Float64Array;
  /** What a method keeps beside them. */
  readonly rest?: Float64Array;
}

/** A batch of tasks; model k is row k of `models`. */
export abstract class AveragingTasks implements Participants, Replayer {
  readonly m: number;
  readonly uploadLength: number;
  /** w_k of every task, [m, parameters]. */
  readonly models: Pointer;
  /** w~, padded with zeros to [parameters]. */
  readonly global: Pointer;
  protected readonly model: ResidentModel;
  /** [m, uploadLength]. */
  protected readonly uploads: Pointer;

  /**
   * @param shared leading parameters that are shared.
   * @param initial w(0) of every task, [parameters].
   */
  constructor(model: ResidentModel, shared: number, initial: Float64Array) {
    const { core, m } = model.tasks;
    const { arena } = core;
    const size = model.parameters;
    this.m = m;
    this.uploadLength = shared;
    this.model = model;
    this.models = arena.f64(m * size, "the tasks' models");
    for (let i = 0; i < m; i++) arena.view(this.models + 8 * i * size, size).set(initial);
    this.global = arena.zeros(size);
    arena.view(this.global, shared).set(initial.subarray(0, shared));
    this.uploads = arena.f64(m * shared, "the tasks' updates");
  }

  abstract readonly atOnce: number;

  /** Where the batch lives. */
  get core(): Core {
    return this.model.tasks.core;
  }

  abstract upload(round: number, marks?: Uint8Array): Pointer;

  abstract replay(broadcasts: readonly Float32Array[], marks?: Uint8Array): void;

  /**
   * What follows the last broadcast, and shares nothing; stops now and then.
   * @param strength factor of what holds tasks to the shared model there.
   */
  abstract conclude(strength?: number): Generator<void, void>;

  /** Takes the new shared model. */
  receive(broadcast: Pointer): void {
    this.copy(broadcast, this.global, this.uploadLength);
  }

  /** Copies of the tasks' models and of the shared one. */
  checkpoint(): Checkpoint {
    const { parameters: size, tasks } = this.model;
    const { arena } = tasks.core;
    return {
      models: arena.view(this.models, this.m * size).slice(),
      global: arena.view(this.global, size).slice(),
    };
  }

  /** Goes back to where the tasks stood. */
  restore({ models, global }: Checkpoint): void {
    const { arena } = this.model.tasks.core;
    arena.view(this.models, models.length).set(models);
    arena.view(this.global, global.length).set(global);
  }

  /** Model i. */
  protected own(i: number): Pointer {
    return this.models + 8 * i * this.model.parameters;
  }

  protected copy(from: Pointer, to: Pointer, n: number): void {
    const { arena } = this.model.tasks.core;
    arena.view(to, n).set(arena.view(from, n));
  }
}
