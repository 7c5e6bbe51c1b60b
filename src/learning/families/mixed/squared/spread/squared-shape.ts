/**
 * The shape of C, the covariance of the tasks' models, where coordinates are few: how wide slopes are beside one another, and all correlations.
 * One Fisher step a release, from clipped scores of all entries of C.
 *
 * With w = a + L z, C = L L^T, a task's rows leave z with a mean v and a precision I + A; G = I - (I + A)^-1. Were the covariance of z not I
 * but I + D, the mean of v v^T - G would be G D G. If the model holds, its entries vary as those of a Wishart matrix do: by 2 g_c^2 on the diagonal and by g_c g_e
 * off it, in a basis of z in which G is diagonal. That of the predicted mean of the G is taken. So packed entries over sqrt(2 g_c g_e) vary by 1, and are
 * sqrt(g_c g_e) times those of D over sqrt(2), which all have one prior: no basis is preferred.
 *
 * The scales of slopes and intercept stay what the scores of variances said: these have more releases, and scores of far tasks, which are clipped here, count there too.
 *
 * A release: the sum of these, each task's clipped around the point at which clipped scores would have mean 0 if the model held, to norm 1. Another task
 * moves it by at most 2.
 * @see Harville (1977), "Maximum likelihood approaches to variance component estimation", for the scores
 * @module
 */
import { exp } from "../../../../../core/elementary.js";
import { eigh } from "../../../../../linalg/index.js";
import { congruence } from "../../../../../linalg/kernel-products.js";
import { triangle, unpacked } from "../../../../../linalg/packed-symmetric.js";
import { factor, multiply, symmetric, transpose } from "../../../../../linalg/small-matrices.js";
import type { TaskSpectra } from "../../spectra/task-spectra.js";
import type { TaskSpectrum } from "../../spectra/task-spectrum.js";
import { fromEigen } from "../../spectra/from-eigen.js";
import { clippedScores, type OwnScores } from "./clipped-scores.js";
import { NOISE_MULTIPLES, SHAPE } from "../squared-settings.js";
import type { SquaredState } from "../squared-state.js";

/** Bound on the norm of a score whose entries vary by 1. */
const shapeClip = (d: number): number => Math.sqrt(triangle(d));

/** Where scores are taken: L, the basis of z, the columns of [d, d], and the g. */
interface Basis {
  readonly l: Float64Array;
  readonly vectors: Float64Array;
  readonly told: Float64Array;
}

function basisOf(state: SquaredState): Basis {
  const { d } = state.sizes;
  const { covariance } = state;
  const l = factor(covariance, d);
  const mean = congruence(transpose(l, d, d), state.meanInformation(covariance), d, d);
  const { values, vectors } = eigh(symmetric(mean, d), d);
  const told = values.map((value) => Math.min(Math.max(value, SHAPE.least * values[0]!), 1));
  return { l, vectors, told };
}

/** Scores of one task after the other, packed, before they are clipped. */
export class ShapeScores implements OwnScores {
  readonly l: Float64Array;
  readonly length: number;
  readonly #state: SquaredState;
  /** Columns of the basis over the roots of sqrt(2) g_c, [d, d]. */
  readonly #columns: Float64Array;
  /** The opened task's directions in that basis, [k, d]. */
  readonly #turned: Float64Array;
  /** Of one task's scores: the mean under a hypothesis, [d], and what its rows take of each direction. */
  readonly #mean: Float64Array;
  readonly #told: Float64Array;

  constructor(state: SquaredState) {
    const { d } = state.sizes;
    const { l, vectors, told } = basisOf(state);
    this.l = l;
    this.length = triangle(d);
    this.#state = state;
    this.#columns = vectors.map((value, at) => value / Math.sqrt(Math.SQRT2 * told[at % d]!));
    this.#turned = new Float64Array(d * d);
    this.#mean = new Float64Array(d);
    this.#told = new Float64Array(d);
  }

  open({ k, directions }: TaskSpectrum): void {
    const { d } = this.#state.sizes;
    multiply(directions, this.#columns, k, d, d, this.#turned);
  }

  /** Averaged over the hypotheses on the task's noise, [d (d + 1) / 2]. */
  write(task: TaskSpectrum, into: Float64Array): void {
    const { sizes, noise: common } = this.#state;
    const { d } = sizes;
    const { k, squares, observed } = task;
    const weights = this.#state.noiseWeights(task);
    const mean = this.#mean;
    const told = this.#told.fill(0);
    const turned = this.#turned;
    into.fill(0);
    for (let j = 0; j < NOISE_MULTIPLES.length; j++) {
      const weight = weights[j]!;
      mean.fill(0);
      for (let t = 0; t < k; t++) {
        const whole = common * NOISE_MULTIPLES[j]! + squares[t]!;
        told[t]! += (weight * squares[t]!) / whole;
        const along = (Math.sqrt(squares[t]!) * observed[t]!) / whole;
        for (let c = 0; c < d; c++) mean[c]! += along * turned[t * d + c]!;
      }
      addOuter(mean, 0, d, weight, into);
    }
    for (let t = 0; t < k; t++) addOuter(turned, t * d, d, -told[t]!, into);
  }
}

/** Adds v v^T times a weight, packed, for the d numbers of `all` from `from` on. */
function addOuter(
  all: Float64Array,
  from: number,
  d: number,
  weight: number,
  into: Float64Array,
): void {
  for (let c = 0, at = 0; c < d; c++) {
    const own = all[from + c]!;
    const off = Math.SQRT2 * weight * own;
    for (let e = 0; e < c; e++) into[at++]! += off * all[from + e]!;
    into[at++]! += weight * own * own;
  }
}

/** The tasks' uploads: their scores, held to norm 1, [batch, d (d + 1) / 2]. */
export function shapeUploads(state: SquaredState, tasks: TaskSpectra): Float64Array {
  return clippedScores(state, tasks, new ShapeScores(state), shapeClip(state.sizes.d));
}

/** Takes the noisy sum: a step of the shape, as far as it stands out of the noise. */
export function receiveShape(state: SquaredState, sum: Float64Array, deviation: number): void {
  const { m, d } = state.sizes;
  const { l, vectors, told } = basisOf(state);
  const clip = shapeClip(d);
  const belief = state.shapeBelief;
  const noise = m + (deviation * clip) ** 2;
  let left = 0;
  const step = new Float64Array(sum.length);
  for (let c = 0, at = 0; c < d; c++) {
    for (let e = 0; e <= c; e++, at++) {
      const signal = m * Math.sqrt(told[c]! * told[e]!);
      const gain = (belief * signal) / (belief * signal ** 2 + noise);
      step[at] = gain * sum[at]! * clip;
      left += (1 - gain * signal) / sum.length;
    }
  }
  const change = unpacked(step, d).map((value) => value * Math.SQRT2);
  const { values, vectors: axes } = eigh(symmetric(change, d), d);
  const factors = values.map((value) =>
    value < 0 ? exp(Math.max(value, -SHAPE.step)) : 1 + Math.min(value, SHAPE.step),
  );
  const root = multiply(l, multiply(vectors, axes, d, d, d), d, d, d);
  state.reshape(symmetric(fromEigen(root, factors, d), d));
  state.shapeBelief = belief * left + SHAPE.widening * SHAPE.belief ** 2;
}
