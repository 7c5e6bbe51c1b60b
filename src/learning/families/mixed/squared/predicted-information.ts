/**
 * How much the tasks' rows are thought to tell of their models: what made-up tasks tell, corrected by what releases said of
 * the real ones.
 * @module
 */
import type { Core } from "../../../../core/index.js";
import { eigh, type Eigendecomposition } from "../../../../linalg/index.js";
import { congruence } from "../../../../linalg/kernel-products.js";
import { identity, over, transpose } from "../../../../linalg/small-matrices.js";
import type { CommonWork } from "../../../round/common-work.js";
import type { MixedSizes } from "../exchange.js";
import { fromEigen } from "../spectra/from-eigen.js";
import { SyntheticInformation } from "./synthetic-information.js";

export class PredictedInformation {
  readonly #m: number;
  readonly #d: number;
  readonly #synthetic: SyntheticInformation;
  /** E, where T^1/2 E T^1/2 is what is believed of the tasks' information and T the made-up tasks'. */
  #correction: Float64Array;

  /** What the made-up tasks told last, and its eigenvectors: a step and what is concluded from it ask the same. */
  #last: { readonly made: Float64Array; readonly parts: Eigendecomposition } | undefined;

  /** @param core in whose arena made-up tasks lie as long as this is. */
  constructor(core: Core, sizes: MixedSizes) {
    this.#m = sizes.m;
    this.#d = sizes.d;
    this.#synthetic = new SyntheticInformation(core, sizes);
    this.#correction = identity(sizes.d);
  }

  /**
   * Mean over tasks of X^T V^-1 X, V = noise I + X P X^T.
   * @param p P, [d, d].
   */
  mean(p: Float64Array, noise: number): Float64Array {
    return congruence(this.#root(p, noise, Math.sqrt), this.#correction, this.#d, this.#d);
  }

  /** The same of the made-up tasks, whatever was learned. */
  madeUp(p: Float64Array, noise: number): Float64Array {
    return this.#synthetic.information(p, noise);
  }

  /** What of it every batch works out alike; undefined where it was asked last. */
  work(p: Float64Array, noise: number): CommonWork | undefined {
    return this.#synthetic.work(p, noise);
  }

  /**
   * Takes an estimate of the sum of the same over all tasks.
   * @param sum in coordinates x, [d, d].
   * @param toBasis what brings a model to these, [d, d].
   */
  learn(p: Float64Array, noise: number, sum: Float64Array, toBasis: Float64Array): void {
    const d = this.#d;
    const estimate = congruence(transpose(toBasis, d, d), over(sum, this.#m), d, d);
    const inverse = this.#root(p, noise, inverseRoot);
    this.#correction = congruence(inverse, estimate, d, d);
  }

  /** A function of the made-up tasks' information. */
  #root(p: Float64Array, noise: number, f: (value: number) => number): Float64Array {
    const made = this.#synthetic.information(p, noise);
    if (this.#last?.made !== made) this.#last = { made, parts: eigh(made, this.#d) };
    const { values, vectors } = this.#last.parts;
    const least = 1e-9 * values[0]!;
    const lifted = new Float64Array(this.#d);
    for (let k = 0; k < this.#d; k++) lifted[k] = f(Math.max(values[k]!, least));
    return fromEigen(vectors, lifted, this.#d);
  }
}

const inverseRoot = (value: number) => 1 / Math.sqrt(value);
