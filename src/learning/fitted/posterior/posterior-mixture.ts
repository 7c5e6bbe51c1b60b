/**
 * Probabilities of a classifier that is sure of its model only so far: averages over the posterior of a task's
 * parameters, a mixture of normals.
 * @module
 */
import { log } from "../../../core/elementary.js";
import { quadraticForm } from "../../../linalg/packed-symmetric.js";
import { logSumExp } from "../../../linalg/softmax.js";
import { logMeanProbability } from "../../models/logistic-link.js";
import type { Component } from "../model-state.js";

/** Posterior of a task's parameters, the intercept last, as a mixture of K normals of dimension n; of C classes [C, ...] of each. */
export interface PosteriorMixture {
  /** [K], sum 1. */
  readonly weights: Float64Array;
  /** [K, n]. */
  readonly means: Float64Array;
  /** Lower triangles row by row, [K, n (n + 1) / 2]. */
  readonly covariances: Float64Array;
}

/** Of all tasks, as a fitted model's components: [m, K], [m, K, n] and [m, K, n (n + 1) / 2]; of C classes [m, C, ...]. */
export type MixtureComponents = Readonly<
  Record<"mixtureWeights" | "mixtureMeans" | "mixtureCovariances", Component>
>;

/** The mixture of task i of a model that has one. */
export function mixtureOf(
  components: Readonly<Record<string, Component>>,
  i: number,
): PosteriorMixture | null {
  const { mixtureWeights, mixtureMeans, mixtureCovariances } =
    components as Partial<MixtureComponents>;
  if (!mixtureWeights || !mixtureMeans || !mixtureCovariances) return null;
  const own = ({ data, shape }: Component) => {
    const size = data.length / shape[0]!;
    return data.slice(i * size, (i + 1) * size);
  };
  return {
    weights: own(mixtureWeights),
    means: own(mixtureMeans),
    covariances: own(mixtureCovariances),
  };
}

/** What a loss of two classes, or of several, is a function of. @param outputs C of several classes, else 1. */
export const averagedOutputs = (
  mixture: PosteriorMixture,
  x: Float64Array,
  d: number,
  outputs: number,
): Float64Array =>
  outputs === 1 ? averagedLogOdds(mixture, x, d) : averagedLogits(mixture, x, d, outputs);

/**
 * ln (p / (1 - p)) for the mean p of the logistic function of x . w + b over the mixture.
 * @param x rows [n, d], without the intercept's 1.
 */
export function averagedLogOdds(
  mixture: PosteriorMixture,
  x: Float64Array,
  d: number,
): Float64Array {
  const { weights, means, covariances } = mixture;
  const out = new Float64Array(x.length / d);
  const count = weights.length;
  const size = covariances.length / count;
  const upper = new Float64Array(count);
  const lower = new Float64Array(count);
  const row = new Float64Array(d + 1).fill(1);
  for (let r = 0; r < out.length; r++) {
    row.set(x.subarray(r * d, (r + 1) * d));
    for (let k = 0; k < count; k++) {
      let mean = 0;
      for (let i = 0; i <= d; i++) mean += row[i]! * means[k * (d + 1) + i]!;
      const variance = Math.max(quadraticForm(covariances, row, k * size), 0);
      upper[k] = logMeanProbability(mean, variance);
      lower[k] = logMeanProbability(-mean, variance);
    }
    out[r] = logAverage(weights, upper) - logAverage(weights, lower);
  }
  return out;
}

/**
 * Logits of C classes from the same log-odds l_c of each against the rest: (C - 1) / C l_c, [n, C]. Where the classes' logits are z,
 * l_c is C / (C - 1) (z_c - mean z) - ln (C - 1) near equal odds, and z_c less the next largest far from them; of two classes it
 * is their difference everywhere. So classes between others, against which no line says much, lose to these at either end.
 * @param mixture of all classes: [C, K], [C, K, n] and [C, K, n (n + 1) / 2].
 */
export function averagedLogits(
  mixture: PosteriorMixture,
  x: Float64Array,
  d: number,
  classes: number,
): Float64Array {
  const out = new Float64Array((x.length / d) * classes);
  for (let c = 0; c < classes; c++) {
    averagedLogOdds(mixtureOfClass(mixture, c, classes), x, d).forEach((odds, r) => {
      out[r * classes + c] = againstRest(odds, classes);
    });
  }
  return out;
}

/** The logit of a class whose log-odds against the rest these are. */
export const againstRest = (odds: number, classes: number): number =>
  (odds * (classes - 1)) / classes;

function mixtureOfClass(
  { weights, means, covariances }: PosteriorMixture,
  c: number,
  classes: number,
): PosteriorMixture {
  const own = (data: Float64Array) => {
    const size = data.length / classes;
    return data.subarray(c * size, (c + 1) * size);
  };
  return { weights: own(weights), means: own(means), covariances: own(covariances) };
}

/** ln sum_k weights_k exp(logs_k); normals of weight 0 do not count, however likely they make the row. */
const logAverage = (weights: Float64Array, logs: Float64Array): number =>
  logSumExp(logs.map((value, k) => (weights[k]! > 0 ? value + log(weights[k]!) : -Infinity)));
