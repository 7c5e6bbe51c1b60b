/**
 * What one task tells of the fixed effects, averaged over what noise its rows may have: the score b and information A, and how the score
 * moves with the effects, D.
 * @see exact-effects.ts for the formulas
 * @module
 */
import type { Core, Pointer } from "../../../../core/index.js";
import { SpectrumInformation } from "../spectra/spectrum-information.js";
import type { TaskSpectrum } from "../spectra/task-spectrum.js";

/** For one task after the other, in coordinates z. */
export class TaskScore {
  /** b, [d]. */
  readonly score: Float64Array;
  /** A, [d, d], lower triangle. */
  readonly information: Float64Array;
  /** D, [d, d], lower triangle. */
  readonly derived: Float64Array;
  /** b_j, [d]. */
  readonly #own: Float64Array;
  readonly #core: Core;
  readonly #told: SpectrumInformation;
  /** In the core's memory, [d, d]. */
  readonly #sum: Pointer;

  /** @param count noises that a task's rows may have. Its room is the arena's until whoever calls releases it. */
  constructor(core: Core, d: number, count: number) {
    this.#core = core;
    this.score = new Float64Array(d);
    this.#own = new Float64Array(d);
    this.information = new Float64Array(d * d);
    this.derived = new Float64Array(d * d);
    this.#told = new SpectrumInformation(core, d, count);
    this.#sum = core.arena.f64(d * d);
  }

  /** Takes the next task. @param weights of the noises, each a variance. */
  take(task: TaskSpectrum, weights: Float64Array, noises: readonly number[]): void {
    const { score, information, derived } = this;
    const own = this.#own;
    const d = score.length;
    const sum = this.#core.arena.view(this.#sum, d * d).fill(0);
    this.#told.add(task, noises, weights, this.#sum);
    information.set(sum);
    score.fill(0);
    derived.set(information);
    for (let j = 0; j < noises.length; j++) {
      const weight = weights[j]!;
      scoreAt(noises[j]!, task, own);
      for (let c = 0; c < d; c++) {
        score[c]! += weight * own[c]!;
        const along = weight * own[c]!;
        for (let e = 0; e <= c; e++) derived[c * d + e]! -= along * own[e]!;
      }
    }
    for (let c = 0; c < d; c++) {
      for (let e = 0; e <= c; e++) derived[c * d + e]! += score[c]! * score[e]!;
    }
  }
}

/** The score if rows had that noise. */
function scoreAt(noise: number, task: TaskSpectrum, into: Float64Array): void {
  const { k, squares, observed, directions } = task;
  const d = into.length;
  into.fill(0);
  for (let t = 0; t < k; t++) {
    const square = squares[t]!;
    const pull = (Math.sqrt(square) * observed[t]!) / (noise + square);
    for (let c = 0, along = t * d; c < d; c++, along++) into[c]! += pull * directions[along]!;
  }
}
