/**
 * Exact proximal steps of the tasks' quadratics, by the inverses of d x d matrices.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import type { Quadratics } from "./quadratics.js";

/** Proximal steps of quadratics, whatever is kept of them. */
export interface ExactSolves {
  /** The mean curvature of every task's quadratic as it is now, [m]. */
  curvatures(): Float64Array;
  /**
   * Makes ready for steps with parameter rho of the quadratics as they are now.
   * @returns 0, or 1 + the first task whose numbers are too large.
   */
  prepare(rho: number): number;
  /** w <- argmin L_i(w) + (rho/2) ||w - (2 z - v)||^2; v += relaxation (w - z); all [m, d]. */
  step(z: Pointer, v: Pointer, w: Pointer, relaxation: number): void;
  /** Leaves what is kept of the tasks outside of the core to others. */
  close?(): void;
}

/** R_i = rho (H_i + rho I)^-1, [m, d, d], and what they make of the moments, [m, d]. */
export class ColumnSolves implements ExactSolves {
  readonly #core: Core;
  readonly #m: number;
  readonly #d: number;
  readonly #quadratics: Quadratics;
  readonly #resolvents: Pointer;
  readonly #points: Pointer;
  readonly #work: Pointer;
  /** Whether matrices and moments are where their inverses will be. */
  #grams = false;

  constructor(core: Core, m: number, d: number, quadratics: Quadratics) {
    const { arena, kernels } = core;
    this.#core = core;
    this.#m = m;
    this.#d = d;
    this.#quadratics = quadratics;
    this.#resolvents = arena.f64(m * d * d, "the tasks' inverse matrices");
    this.#points = arena.f64(m * d);
    this.#work = arena.bytes(kernels.taskResolventsWorkspace(d));
  }

  /** Bytes that those of a batch take. */
  static bytes(m: number, d: number): number {
    return 8 * (m * d * (d + 1) + 7 * d * d);
  }

  curvatures(): Float64Array {
    this.#write();
    const d = this.#d;
    const mean = new Float64Array(this.#m);
    for (let i = 0; i < mean.length; i++) {
      const h = this.#core.arena.view(this.#resolvents + 8 * i * d * d, d * d);
      for (let j = 0; j < d; j++) mean[i]! += h[j * (d + 1)]! / d;
    }
    return mean;
  }

  prepare(rho: number): number {
    this.#write();
    this.#grams = false;
    const [m, d, work] = [this.#m, this.#d, this.#work];
    return this.#core.kernels.taskResolvents(this.#resolvents, this.#points, rho, m, d, work);
  }

  step(z: Pointer, v: Pointer, w: Pointer, relaxation: number): void {
    const [m, d, work] = [this.#m, this.#d, this.#work];
    const [resolvents, points] = [this.#resolvents, this.#points];
    this.#core.kernels.reflectedSteps(resolvents, points, z, v, w, relaxation, m, d, work);
  }

  #write(): void {
    if (!this.#grams) this.#quadratics.write(this.#resolvents, this.#points);
    this.#grams = true;
  }
}
