/**
 * What a task's rows tell of their model by their spectrum, averaged over hypotheses on their noise.
 * @see assembly/tasks/tall-spectrum.ts
 * @module
 */
import type { Core, Pointer } from "../../../../core/index.js";
import type { TaskSpectrum } from "./task-spectrum.js";

/** For one task after the other, in coordinates z. */
export class SpectrumInformation {
  readonly #core: Core;
  readonly #d: number;
  readonly #count: number;
  readonly #at: Readonly<Record<"noises" | "weights" | "squares" | "directions", Pointer>>;

  /**
   * @param core whose arena is used until whoever calls releases it.
   * @param count hypotheses on the noise.
   */
  constructor(core: Core, d: number, count: number) {
    const { arena } = core;
    this.#core = core;
    this.#d = d;
    this.#count = count;
    this.#at = {
      noises: arena.f64(count),
      weights: arena.f64(count),
      squares: arena.f64(d),
      directions: arena.f64(d * d),
    };
  }

  /** Adds it to the lower triangle of f64[d, d] in the core's memory. @param noises variances. @param weights of these. */
  add(
    { k, squares, directions }: TaskSpectrum,
    noises: ArrayLike<number>,
    weights: ArrayLike<number>,
    sum: Pointer,
  ): void {
    const { arena, kernels } = this.#core;
    const [d, count, at] = [this.#d, this.#count, this.#at];
    arena.view(at.noises, count).set(noises);
    arena.view(at.weights, count).set(weights);
    arena.view(at.squares, d).set(squares);
    arena.view(at.directions, d * d).set(directions);
    kernels.addInformation(
      ...([at.squares, at.directions, k, d] as const),
      ...([at.noises, at.weights, count, sum] as const),
    );
  }
}
