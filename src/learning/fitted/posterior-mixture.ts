/**
 * Probabilities of a classifier that is sure of its model only so far: averages over the posterior of a task's
 * parameters, a mixture of normals.
 * @module
 */
import { exp, log } from "../../core/elementary.js";
import { logMeanProbability } from "../models/logistic-link.js";
import type { Component } from "./model-state.js";

/** Posterior of a task's parameters, the intercept last, as a mixture of K normals of dimension n. */
export interface PosteriorMixture {
  /** [K], sum 1. */
  readonly weights: Float64Array;
  /** [K, n]. */
  readonly means: Float64Array;
  /** Lower triangles row by row, [K, n (n + 1) / 2]. */
  readonly covariances: Float64Array;
}

/** Of all tasks, as a fitted model's components: [m, K], [m, K, n] and [m, K, n (n + 1) / 2]. */
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
  const upper = new Float64Array(count);
  const lower = new Float64Array(count);
  const row = new Float64Array(d + 1).fill(1);
  for (let r = 0; r < out.length; r++) {
    row.set(x.subarray(r * d, (r + 1) * d));
    let [at, entry] = [0, 0];
    for (let k = 0; k < count; k++) {
      let [mean, variance] = [0, 0];
      for (let i = 0; i <= d; i++) {
        mean += row[i]! * means[at++]!;
        let along = 0;
        for (let j = 0; j < i; j++) along += 2 * row[j]! * covariances[entry++]!;
        variance += row[i]! * (along + row[i]! * covariances[entry++]!);
      }
      upper[k] = logMeanProbability(mean, Math.max(variance, 0));
      lower[k] = logMeanProbability(-mean, Math.max(variance, 0));
    }
    out[r] = logAverage(weights, upper) - logAverage(weights, lower);
  }
  return out;
}

/** ln sum_k weights_k exp(logs_k); normals of weight 0 do not count, however likely they make the row. */
function logAverage(weights: Float64Array, logs: Float64Array): number {
  const terms = logs.map((value, k) => (weights[k]! > 0 ? value + log(weights[k]!) : -Infinity));
  const most = terms.reduce((a, b) => Math.max(a, b), -Infinity);
  return most + log(terms.reduce((sum, value) => sum + exp(value - most), 0));
}
