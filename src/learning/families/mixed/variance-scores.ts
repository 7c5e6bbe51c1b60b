/**
 * Scores of the logarithms of the three variances, of one task after the other.
 *
 * With V = s I + X P X^T, u = X^T V^-1 r and H = X^T V^-1 X, the score of the logarithm of a variance is
 * (1/2) sum_c [u_c (C u)_c - (H C)_cc] over its coordinates, and (1/2) [s |V^-1 r|^2 - s tr V^-1] for the noise;
 * both are averaged over the hypotheses on the task's noise (Fisher's identity).
 * @module
 */
import { invertLower, multiply } from "../../../linalg/small-matrices.js";
import { NOISE_MULTIPLES } from "./squared-settings.js";
import { VARIANCES, type SquaredState } from "./squared-state.js";
import type { TaskSpectrum } from "./task-spectrum.js";

/** What a task's directions come to, whatever is observed along them, is worked out once a task. */
export class VarianceScores {
  readonly #state: SquaredState;
  readonly #inverse: Float64Array;
  readonly #toCovariance: Float64Array;
  /** Directions W^T L^-1 and W^T L^-1 C, [k, d]. */
  #own: Float64Array = new Float64Array(0);
  #other: Float64Array = new Float64Array(0);
  /** (H C)_cc under every hypothesis, [hypotheses, d]. */
  readonly #information: Float64Array;
  readonly #u: Float64Array;
  readonly #cu: Float64Array;

  /** @param l the factor of the state's covariance C, under which the tasks' spectra are. */
  constructor(state: SquaredState, l: Float64Array) {
    const { d } = state.sizes;
    this.#state = state;
    this.#inverse = invertLower(l, d);
    this.#toCovariance = multiply(this.#inverse, state.covariance, d, d, d);
    this.#information = new Float64Array(NOISE_MULTIPLES.length * d);
    this.#u = new Float64Array(d);
    this.#cu = new Float64Array(d);
  }

  /** Takes a task's directions and their sizes. */
  open({ k, squares, directions }: TaskSpectrum): void {
    const { d } = this.#state.sizes;
    const own = multiply(directions, this.#inverse, k, d, d);
    const other = multiply(directions, this.#toCovariance, k, d, d);
    this.#own = own;
    this.#other = other;
    this.#information.fill(0);
    NOISE_MULTIPLES.forEach((multiple, j) => {
      const at = this.#information.subarray(j * d, (j + 1) * d);
      const noise = this.#state.noise * multiple;
      for (let t = 0; t < k; t++) {
        const v = noise + squares[t]!;
        for (let c = 0; c < d; c++) {
          at[c]! += ((own[t * d + c]! * squares[t]!) / v) * other[t * d + c]!;
        }
      }
    });
  }

  /** The scores of what the opened task observes, [3]: of slopes, intercept and noise. */
  of(task: TaskSpectrum): Float64Array {
    const { d } = this.#state.sizes;
    const { n, k, squares, observed, rest } = task;
    const [own, other, u, cu] = [this.#own, this.#other, this.#u, this.#cu];
    const weights = this.#state.noiseWeights(task);
    const scores = new Float64Array(VARIANCES);
    for (let j = 0; j < NOISE_MULTIPLES.length; j++) {
      const noise = this.#state.noise * NOISE_MULTIPLES[j]!;
      u.fill(0);
      cu.fill(0);
      let ofNoise = rest / noise - (n - k);
      for (let t = 0; t < k; t++) {
        const v = noise + squares[t]!;
        const z = (Math.sqrt(squares[t]!) * observed[t]!) / v;
        ofNoise += noise * (observed[t]! / v) ** 2 - noise / v;
        for (let c = 0, at = t * d; c < d; c++, at++) {
          u[c] = u[c]! + own[at]! * z;
          cu[c] = cu[c]! + other[at]! * z;
        }
      }
      const weight = weights[j]! / 2;
      for (let c = 0; c < d; c++) {
        const told = u[c]! * cu[c]! - this.#information[j * d + c]!;
        scores[c === d - 1 ? 1 : 0]! += weight * told;
      }
      scores[2]! += weight * ofNoise;
    }
    return scores;
  }
}
