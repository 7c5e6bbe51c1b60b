/**
 * One part of the models in Douglas-Rachford rounds: its state, and what it was at the best evaluation.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import type { Projection } from "../../steps/projection.js";

/** Over-relaxation; between 1.5 and 1.8 it spared a third of the rounds on all data tried. */
export const RELAXATION = 1.8;

/** Numbers by which a task says how far a round was from a fixed point (kernel `addResiduals`). */
export const RESIDUALS = 5;

/** Where a part of the models starts, [m, d], and how it is projected. */
export interface PartStart {
  readonly start: Float64Array;
  readonly projection: Projection;
}

/** Z and that of the round before, V, and W, all [m, d]. */
export class ReflectedPart {
  z: Pointer;
  before: Pointer;
  readonly v: Pointer;
  readonly w: Pointer;
  readonly #core: Core;
  readonly #size: number;
  readonly #projection: Projection;
  /** Z, V and W as they were kept, one after the other; 0 where they are not. */
  readonly #kept: Pointer;

  /** @param keeps whether states are kept, to go back to. */
  constructor(core: Core, { start, projection }: PartStart, keeps: boolean) {
    const { arena } = core;
    this.#core = core;
    this.#size = start.length;
    this.#projection = projection;
    this.z = arena.copyOf(start);
    this.before = arena.copyOf(start);
    this.v = arena.f64(start.length);
    this.w = arena.f64(start.length);
    this.#kept = keeps ? arena.f64(3 * start.length) : 0;
  }

  /** Z <- prox of the penalty at V. */
  project(broadcast: Pointer): void {
    [this.z, this.before] = [this.before, this.z];
    this.#projection(broadcast, this.v, this.z);
  }

  /** Starts rounds at Z with parameter rho, given the gradient of the losses there, [m, d]. */
  restartAt(gradient: Pointer, rho: number): void {
    const { arena, kernels } = this.#core;
    arena.view(this.v, this.#size).set(arena.view(this.z, this.#size));
    kernels.axpy(-1 / rho, gradient, this.v, this.#size);
  }

  /** Goes on with another rho. @param ratio of the rho before to it. */
  changeRho(ratio: number): void {
    // v - z is the dual variable over rho; taken of the v that gave z.
    const [v, z, w] = this.#state();
    for (let k = 0; k < this.#size; k++) {
      const dual = v[k]! - RELAXATION * (w[k]! - z[k]!) - z[k]!;
      v[k] = z[k]! + ratio * dual;
    }
  }

  /** Keeps the state, before new rounds begin. */
  keep(): void {
    const to = this.#core.arena.view(this.#kept, 3 * this.#size);
    this.#state().forEach((block, k) => to.set(block, k * this.#size));
  }

  /** Goes back to it. */
  restore(): void {
    const size = this.#size;
    const from = this.#core.arena.view(this.#kept, 3 * size);
    this.#state().forEach((block, k) => block.set(from.subarray(k * size, (k + 1) * size)));
  }

  /** Adds what the round leaves of a fixed point to residuals [m, RESIDUALS]. */
  measure(residuals: Pointer, m: number): void {
    const { kernels } = this.#core;
    const { z, before, v, w } = this;
    const d = this.#size / m;
    for (let i = 0, at = 0; i < m; i++, at += 8 * d) {
      const own = residuals + 8 * RESIDUALS * i;
      kernels.addResiduals(z + at, before + at, v + at, w + at, RELAXATION, own, d);
    }
  }

  #state(): [v: Float64Array, z: Float64Array, w: Float64Array] {
    const view = (at: Pointer) => this.#core.arena.view(at, this.#size);
    return [view(this.v), view(this.z), view(this.w)];
  }
}
