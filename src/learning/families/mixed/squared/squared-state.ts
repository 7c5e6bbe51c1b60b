/**
 * What everyone believes of the tasks together as the releases come in: fixed effects, variance components,
 * and how much the rows tell.
 * @module
 */
import { openCore } from "../../../../core/index.js";
import { exp, log } from "../../../../core/elementary.js";
import { sameEntries } from "../../../../linalg/same-entries.js";
import {
  diagonal,
  factor,
  identity,
  scaledOnSides,
  trace,
} from "../../../../linalg/small-matrices.js";
import type { CommonWork } from "../../../round/common-work.js";
import { commonPart, lowerLogs } from "./common-part.js";
import type { MixedPrior, MixedSizes, StatedEffects } from "../exchange.js";
import type { EffectsBelief } from "./effects-belief.js";
import { EffectsFilter } from "./effects-filter.js";
import { BELIEF, LIMITS, NOISE_MULTIPLES, NOISE_PRIOR, SHAPE, START } from "./squared-settings.js";
import type { TaskSpectrum } from "../spectra/task-spectrum.js";
import { unseenCovariance } from "./unseen-task.js";
import { softmax } from "../../../../linalg/softmax.js";
import type { Statement } from "./stated/statement.js";
import { UnsureColumns } from "./stated/unsure-columns.js";

/** Logarithms of the prior weights of the multiples of the noise. */
const NOISE_LOGS = NOISE_PRIOR.map((weight) => log(weight));

/** A noisy sum of outer products of the tasks' directions, packed, and the deviation of its noise. */
export interface DirectionsSum {
  readonly sum: Float64Array;
  readonly deviation: number;
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
  /** C relative to the scales of slopes and intercept: correlations of the tasks' models around the fixed effects, of trace d. */
  correlation: Float64Array;
  /** The first release that correlations were read from. */
  first: DirectionsSum | undefined;
  /** Variance of the belief about entries of C relative to what it is taken for. */
  shapeBelief = SHAPE.belief ** 2;
  /** What these two are of, once the first variances are known. */
  readonly filter: EffectsFilter;
  /** Their scores, kept for what is stated of them. */
  readonly unsureColumns: UnsureColumns;
  /** What is stated without noise. */
  stated: StatedEffects | undefined;
  /** What releases let be stated, and what it was begun with. */
  #statement:
    | {
        readonly located: EffectsBelief;
        readonly noise: number;
        readonly covariance: Float64Array;
        readonly value: Statement | undefined;
      }
    | undefined;
  readonly #unit: Float64Array;
  /** Releases of the variances' scores so far. */
  #received = 0;
  readonly #noiseWeights = new Float64Array(NOISE_MULTIPLES.length);

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
    this.correlation = identity(d);
    this.unsureColumns = new UnsureColumns(sizes);
    this.filter = new EffectsFilter(core, sizes);
  }

  /** Variance of a row's noise. */
  get noise(): number {
    return exp(this.logs[2]!);
  }

  /** Standard deviations of the coordinates of the tasks' models around the fixed effects. */
  get deviations(): Float64Array {
    const out = new Float64Array(this.sizes.d).fill(exp(this.logs[0]! / 2));
    out[out.length - 1] = exp(this.logs[1]! / 2);
    return out;
  }

  /** C, the covariance of the tasks' models around the fixed effects. */
  get covariance(): Float64Array {
    return scaledOnSides(this.correlation, this.deviations);
  }

  /** The same for the tasks' own models, once the fixed effects are known. */
  get finalCovariance(): Float64Array {
    const { d } = this.sizes;
    const { covariance } = this;
    const lower = lowerLogs(commonPart(this.effects, covariance), this.belief);
    const factors = new Float64Array(d).fill(exp(-lower[0]! / 2));
    factors[d - 1] = exp(-lower[1]! / 2);
    return scaledOnSides(covariance, factors, covariance);
  }

  /** Takes the shape of a covariance of the tasks' models; the scales of slopes and intercept stay. */
  reshape(covariance: Float64Array): void {
    const { d } = this.sizes;
    const own = covariance[d * d - 1]!;
    const slopes = (trace(covariance, d) - own) / Math.max(d - 1, 1);
    const deviations = new Float64Array(d).fill(Math.sqrt(slopes));
    deviations[d - 1] = Math.sqrt(own);
    const shape = new Float64Array(d * d);
    for (let i = 0, at = 0; i < d; i++) {
      for (let j = 0; j < d; j++, at++) {
        shape[at] = covariance[at]! / (deviations[i]! * deviations[j]!);
      }
    }
    this.correlation = shape;
  }

  /** C, with the error of the fixed effects. */
  get spread(): Float64Array {
    const { error, covariance: out } = this;
    for (let at = 0; at < out.length; at++) out[at]! += error[at]!;
    return out;
  }

  /**
   * The belief about the variances before a release of their scores: wider than after the last, whose step was linear.
   * @param by in squares of the first spread.
   */
  beforeVariances(by: number): Float64Array {
    const widening = this.#received++ > 0 ? by * BELIEF.spread ** 2 : 0;
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
    return this.filter.information.mean(p, this.noise);
  }

  /** What of it every batch works out alike; undefined where it was asked last. */
  syntheticOf(p: Float64Array): CommonWork | undefined {
    return this.filter.information.work(p, this.noise);
  }

  /** A task's weights for the multiples of the noise, by its own rows; they are overwritten by the next. */
  noiseWeights(task: TaskSpectrum): Float64Array {
    const { noise } = this;
    const costs = this.#noiseWeights;
    for (let j = 0; j < costs.length; j++) {
      costs[j] = task.logLikelihood(1, noise * NOISE_MULTIPLES[j]!) + NOISE_LOGS[j]!;
    }
    return softmax(costs, costs);
  }

  /** What all releases said. */
  get prior(): MixedPrior {
    const covariance = this.finalCovariance;
    return {
      fixedEffects: this.effects.slice(),
      stated: () => this.stated ?? this.#statedOfReleases(),
      releaseCovariance: this.error.slice(),
      covariance,
      noise: this.noise,
      unsure: this.belief.slice(),
      unseenCovariance: unseenCovariance(this.effects, covariance, this.error, this.belief),
    };
  }

  /**
   * What of it every batch works out alike, once all was received: one after the other; undefined where there is nothing left.
   */
  statedWork(): CommonWork | undefined {
    if (this.stated) return undefined;
    return this.syntheticOf(this.covariance) ?? this.#ofReleases()?.work();
  }

  #statedOfReleases(): StatedEffects {
    return this.#ofReleases()?.stated ?? { fixedEffectsCovariance: this.error.slice() };
  }

  #ofReleases(): Statement | undefined {
    const { located, information } = this.filter;
    if (!located) return undefined;
    const { covariance, noise } = this;
    const last = this.#statement;
    const isSame = last?.located === located && last.noise === noise;
    if (isSame && sameEntries(covariance, last.covariance)) return last.value;
    const told = information.madeUp(covariance, noise);
    const value = this.unsureColumns.statement({ ...located, covariance, told });
    this.#statement = { located, noise, covariance, value };
    return value;
  }

  /** L, lower triangular, with L L^T the spread. */
  get root(): Float64Array {
    return factor(this.spread, this.sizes.d);
  }
}
