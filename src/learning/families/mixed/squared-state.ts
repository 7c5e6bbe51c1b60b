/**
 * What everyone believes of the tasks together as the releases come in: fixed effects, variance components,
 * and how much the rows tell.
 * @module
 */
import { exp, log } from "../../../core/elementary.js";
import {
  apply,
  congruence,
  diagonal,
  factor,
  invertDefinite,
  invertLower,
  multiply,
  trace,
  transpose,
} from "../../../linalg/small-matrices.js";
import { eigh } from "../../../linalg/index.js";
import type { MixedSizes } from "./exchange.js";
import { meanRank } from "./squared-plan.js";
import { BELIEF, LIMITS, NOISE_MULTIPLES, NOISE_PRIOR, START } from "./squared-settings.js";
import type { TaskSpectrum } from "./task-spectrum.js";

/** What the tasks' rows told when their information was last released; it predicts what they will tell. */
interface Information {
  /** Typical covariance of a task's rows, inverted, for a unit of noise, [d, d]. */
  readonly shape: Float64Array;
  /** L^-1 then, mean reliability of a direction, and the noise. */
  readonly inverse: Float64Array;
  readonly reliability: number;
  readonly noise: number;
}

/** Natural logarithms of the variances of slopes, intercept and noise. */
export const VARIANCES = 3;

export class SquaredState {
  readonly sizes: MixedSizes;
  /** Fixed effects, and the covariance of their error. */
  readonly effects: Float64Array;
  error: Float64Array;
  /** Logarithms of the variances of slopes, intercept and noise, and the covariance of the belief. */
  readonly logs: Float64Array;
  belief: Float64Array;
  /** Correlations of the tasks' models around the fixed effects, of trace d. */
  correlation: Float64Array;
  information: Information | undefined;
  readonly #unit: Float64Array;

  constructor(sizes: MixedSizes) {
    const { d } = sizes;
    this.sizes = sizes;
    this.effects = new Float64Array(d);
    this.error = new Float64Array(d * d);
    const slopes = Math.max(d - 1, 1);
    this.#unit = Float64Array.of(-log(slopes), 0, 0);
    const start = [START.slopes, START.intercept, START.noise];
    this.logs = this.#unit.map((unit, k) => unit + log(start[k]!));
    this.belief = diagonal([0, 1, 2].map(() => BELIEF.spread ** 2));
    this.correlation = diagonal(new Float64Array(d).fill(1));
  }

  /** Variance of a row's noise. */
  get noise(): number {
    return exp(this.logs[2]!);
  }

  /** Standard deviations of the coordinates of the tasks' models around the fixed effects. */
  get deviations(): Float64Array {
    const { d } = this.sizes;
    return Float64Array.from({ length: d }, (_, c) => exp(this.logs[c === d - 1 ? 1 : 0]! / 2));
  }

  /** C, the covariance of the tasks' models around the fixed effects. */
  get covariance(): Float64Array {
    const { d } = this.sizes;
    const { deviations, correlation } = this;
    return correlation.map(
      (value, k) => deviations[Math.floor(k / d)]! * value * deviations[k % d]!,
    );
  }

  /** C, with the error of the fixed effects. */
  get spread(): Float64Array {
    const { error } = this;
    return this.covariance.map((value, k) => value + error[k]!);
  }

  /** Moves the logarithms of the variances, within their limits. */
  move(step: ArrayLike<number>): void {
    const least = Object.values(LIMITS.least);
    const most = Object.values(LIMITS.most);
    for (let k = 0; k < VARIANCES; k++) {
      const moved = this.logs[k]! + step[k]!;
      const unit = this.#unit[k]!;
      this.logs[k] = Math.min(Math.max(moved, unit + log(least[k]!)), unit + log(most[k]!));
    }
  }

  /** Takes an estimate of the mean over tasks of L^T X^T V^-1 X L, for L L^T the spread. */
  learnInformation(mean: Float64Array, l: Float64Array): void {
    const { d } = this.sizes;
    const share = Math.min(meanRank(this.sizes) / d, 0.95);
    const { values, vectors } = eigh(mean, d);
    const kept = values.map((value) => Math.min(Math.max(value, 0.02 * share), 0.98 * share));
    const weights = diagonal(kept.map((value) => (share / value - 1) / this.noise));
    const reliability = trace(mean, d) / meanRank(this.sizes);
    this.information = {
      shape: congruence(multiply(l, vectors, d, d, d), weights, d, d),
      inverse: invertLower(l, d),
      reliability: Math.min(Math.max(reliability, 0.02), 0.98),
      noise: this.noise,
    };
  }

  /**
   * Predicted mean over tasks of X^T V^-1 X, V = noise I + X P X^T; undefined before any was released.
   * @param p P, [d, d].
   */
  meanInformation(p: Float64Array): Float64Array | undefined {
    const { information, noise } = this;
    if (!information) return undefined;
    const { d } = this.sizes;
    const { shape, inverse, reliability } = information;
    const g = invertDefinite(
      p.map((value, k) => value + noise * shape[k]!),
      d,
    );
    const width = Math.max(trace(congruence(inverse, p, d, d), d) / d, 1e-6);
    const told =
      (meanRank(this.sizes) * width) /
      (width + ((1 / reliability - 1) * noise) / information.noise);
    const scale = told / trace(multiply(p, g, d, d, d), d);
    return g.map((value) => value * scale);
  }

  /** A task's weights for the multiples of the noise, by its own rows. */
  noiseWeights(task: TaskSpectrum): Float64Array {
    const { noise } = this;
    const costs = NOISE_MULTIPLES.map(
      (multiple, j) => task.logLikelihood(1, noise * multiple) + log(NOISE_PRIOR[j]!),
    );
    return softmax(costs);
  }

  /** A step of the fixed effects, in the coordinates of `basis`. */
  moveEffects(basis: Float64Array, step: Float64Array): void {
    const { d } = this.sizes;
    const moved = apply(basis, step, d, d);
    for (let c = 0; c < d; c++) this.effects[c]! += moved[c]!;
  }

  /** L, lower triangular, with L L^T the spread. */
  get root(): Float64Array {
    return factor(this.spread, this.sizes.d);
  }
}

/** Weights proportional to exp(x). */
export function softmax(logs: ArrayLike<number>): Float64Array {
  let most = -Infinity;
  for (let k = 0; k < logs.length; k++) most = Math.max(most, logs[k]!);
  const out = Float64Array.from(logs, (x) => exp(x - most));
  const sum = out.reduce((total, x) => total + x, 0);
  return out.map((x) => x / sum);
}

/** U diag(f(values)) U^T for the columns of U. */
export function fromEigen(
  vectors: Float64Array,
  values: ArrayLike<number>,
  n: number,
): Float64Array {
  const scaled = vectors.map((value, k) => value * values[k % n]!);
  return multiply(scaled, transpose(vectors, n, n), n, n, n);
}
