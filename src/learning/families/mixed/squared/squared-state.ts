/**
 * What everyone believes of the tasks together as the releases come in: fixed effects, variance components,
 * and how much the rows tell.
 * @module
 */
import { openCore } from "../../../../core/index.js";
import { exp, log } from "../../../../core/elementary.js";
import { eigh } from "../../../../linalg/index.js";
import { congruence, diagonal, factor, invertDefinite } from "../../../../linalg/small-matrices.js";
import type { CommonWork } from "../../../round/common-work.js";
import { commonPart, lowerLogs } from "./common-part.js";
import type { MixedPrior, MixedSizes } from "../exchange.js";
import { SyntheticInformation } from "./synthetic-information.js";
import {
  BELIEF,
  LIMITS,
  NOISE_MULTIPLES,
  NOISE_PRIOR,
  RELEASE_ERROR,
  START,
} from "./squared-settings.js";
import type { EffectsBelief } from "./effects-belief.js";
import type { TaskSpectrum } from "../spectra/task-spectrum.js";
import { softmax } from "../softmax.js";
import { fromEigen } from "../spectra/from-eigen.js";

/** Natural logarithms of the variances of slopes, intercept and noise. */
export const VARIANCES = 3;

export class SquaredState {
  readonly sizes: MixedSizes;
  /** Fixed effects, and the covariance of their error. */
  readonly effects: Float64Array;
  error: Float64Array;
  /** What these two are of; none before the first variances. */
  located: EffectsBelief | undefined;
  /** Logarithms of the variances of slopes, intercept and noise, and the covariance of the belief. */
  readonly logs: Float64Array;
  belief: Float64Array;
  /** Correlations of the tasks' models around the fixed effects, of trace d. */
  correlation: Float64Array;
  readonly #synthetic: SyntheticInformation;
  /** What the releases said of the synthetic tasks' information: T^1/2 E T^1/2 is what the tasks' is believed to be. */
  #correction: Float64Array;
  readonly #unit: Float64Array;
  /** Releases of the variances' scores so far. */
  #received = 0;

  /** @param core in whose arena synthetic tasks lie as long as this is. */
  constructor(sizes: MixedSizes, core = openCore()) {
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
    this.#synthetic = new SyntheticInformation(core, sizes);
    this.#correction = diagonal(new Float64Array(d).fill(1));
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

  /** The same for the tasks' own models, once the fixed effects are known. */
  get finalCovariance(): Float64Array {
    const { d } = this.sizes;
    const { covariance } = this;
    const lower = lowerLogs(commonPart(this.effects, covariance), this.belief);
    const factors = lower.map((value) => exp(-value / 2));
    const factorOf = (c: number) => factors[c === d - 1 ? 1 : 0]!;
    return covariance.map((value, k) => factorOf(Math.floor(k / d)) * value * factorOf(k % d));
  }

  /** C, with the error of the fixed effects. */
  get spread(): Float64Array {
    const { error } = this;
    return this.covariance.map((value, k) => value + error[k]!);
  }

  /** The belief about the variances before a release of their scores: wider than after the last, whose step was linear. */
  beforeVariances(): Float64Array {
    const widening = this.#received++ > 0 ? BELIEF.widening * BELIEF.spread ** 2 : 0;
    return this.belief.map((value, at) => value + (at % (VARIANCES + 1) === 0 ? widening : 0));
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

  /**
   * Predicted mean over tasks of X^T V^-1 X, V = noise I + X P X^T.
   * @param p P, [d, d].
   */
  meanInformation(p: Float64Array): Float64Array {
    const { d } = this.sizes;
    return congruence(this.#rootOfSynthetic(p, Math.sqrt), this.#correction, d, d);
  }

  /** What of it every batch works out alike; undefined where it was asked last. */
  syntheticOf(p: Float64Array): CommonWork | undefined {
    return this.#synthetic.work(p, this.noise);
  }

  /** Takes a released estimate of the same. */
  learnInformation(p: Float64Array, estimate: Float64Array): void {
    const { d } = this.sizes;
    const inverse = this.#rootOfSynthetic(p, (value) => 1 / Math.sqrt(value));
    this.#correction = congruence(inverse, estimate, d, d);
  }

  /** A function of the synthetic tasks' information. */
  #rootOfSynthetic(p: Float64Array, f: (value: number) => number): Float64Array {
    const { d } = this.sizes;
    const { values, vectors } = eigh(this.#synthetic.information(p, this.noise), d);
    return fromEigen(
      vectors,
      values.map((value) => f(Math.max(value, 1e-9 * values[0]!))),
      d,
    );
  }

  /** A task's weights for the multiples of the noise, by its own rows. */
  noiseWeights(task: TaskSpectrum): Float64Array {
    const { noise } = this;
    const costs = NOISE_MULTIPLES.map(
      (multiple, j) => task.logLikelihood(1, noise * multiple) + log(NOISE_PRIOR[j]!),
    );
    return softmax(costs);
  }

  /** What all releases said. Standard errors: of the noise, as the filter has it, and of the tasks' rows. */
  get prior(): MixedPrior {
    const { m, d } = this.sizes;
    const { error } = this;
    const covariance = this.finalCovariance;
    const told = this.meanInformation(covariance).map((value) => value * m);
    const ofTasks = invertDefinite(told, d);
    return {
      fixedEffects: this.effects.slice(),
      fixedEffectsCovariance: error.map((value, at) => RELEASE_ERROR * value + ofTasks[at]!),
      releaseCovariance: error.slice(),
      covariance,
      noise: this.noise,
      unsure: this.belief.slice(),
    };
  }

  /** L, lower triangular, with L L^T the spread. */
  get root(): Float64Array {
    return factor(this.spread, this.sizes.d);
  }
}
