/**
 * Scores of the fixed effects of a logistic mixed model: the metric in which a task's score is clipped, and the
 * belief that all noisy sums of scores leave together.
 * @module
 */
import { exp, log } from "../../../core/elementary.js";
import { eigh } from "../../../linalg/decompositions.js";
import {
  factor,
  invertLower,
  multiply,
  symmetric,
  transpose,
} from "../../../linalg/small-matrices.js";

/** Directions of the models and how much of the clip each gets; those with factor 0 are not released. */
export interface ScoreMetric {
  /** [d, d], one direction a row, in units of the prior's scales. */
  readonly directions: Float64Array;
  /** Factor of the score along each direction before the clip to norm 1. */
  readonly factors: Float64Array;
}

/**
 * Water filling: the metric of expected squared norm 1 whose release leaves the least uncertainty.
 * @param information on u of all m tasks together, [d, d].
 * @param covariance  belief about the fixed effects' error in units of the scales, [d, d].
 * @param noise       deviation of the release's noise for a clip of 1.
 */
export function scoreMetric(
  information: Float64Array,
  covariance: Float64Array,
  m: number,
  d: number,
  noise: number,
): ScoreMetric {
  const { values, vectors } = eigh(information, d);
  const directions = transpose(vectors, d, d);
  const lambda = values.map((value) => Math.max(value, 1e-6 * m));
  const spread = multiply(multiply(directions, covariance, d, d, d), vectors, d, d, d);
  const variance = lambda.map((_, k) => Math.max(spread[k * d + k]!, 1e-9));
  const gain = lambda.map((value) => (value / noise) ** 2);
  const filled = (price: number) =>
    gain.map((g, k) => Math.max(0, (Math.sqrt(g / price) - 1 / variance[k]!) / g));
  let low = -60;
  let high = 60;
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    const used = filled(exp(middle)).reduce((sum, x, k) => sum + (x * lambda[k]!) / m, 0);
    if (used > 1) low = middle;
    else high = middle;
  }
  return { directions, factors: filled(exp(low)).map(Math.sqrt) };
}

/**
 * Part of a score that a clip leaves, by scores that tasks are expected to have: more counts of those that say more.
 * @param scores of some tasks, [d] each.
 */
export function clippedWeight(
  scores: readonly Float64Array[],
  { directions, factors }: ScoreMetric,
  clip: number,
): number {
  const d = factors.length;
  let [left, whole] = [0, 0];
  for (const score of scores) {
    const sent = multiply(directions, score, d, d, 1).map((value, k) => value * factors[k]!);
    const square = sent.reduce((sum, value) => sum + value * value, 0);
    left += square * Math.min(1, clip / Math.max(Math.sqrt(square), 1e-12));
    whole += square;
  }
  return whole > 0 ? left / whole : 1;
}

/** A noisy linear measurement of the fixed effects: value = design a + error. */
export interface Measurement {
  /** [rows, d]. */
  readonly design: Float64Array;
  readonly value: Float64Array;
  /** Covariance of the error, [rows, rows]. */
  readonly error: Float64Array;
  /** B, [rows, d]: B B^T is the covariance of what the values are off by because of the tasks that took part. */
  readonly sampling: Float64Array;
}

/** A Gaussian belief about the fixed effects. */
export interface EffectsBelief {
  readonly mean: Float64Array;
  readonly covariance: Float64Array;
  /** The mean as gain . values of the measurements, [d, rows], and the variances that were taken before them, [d]. */
  readonly gain?: Float64Array;
  readonly prior?: Float64Array;
}

/** Factors of the prior variance that are tried, for slopes and for the intercept, around 1. */
const STRETCHES = [0.25, 0.5, 1, 2, 4, 8, 16] as const;

/** Fixed effects from all measurements so far; the prior's size is chosen by marginal likelihood. */
export function fixedEffects(
  measurements: readonly Measurement[],
  variances: Float64Array,
): Required<EffectsBelief> {
  const d = variances.length;
  const n = measurements.reduce((sum, { value }) => sum + value.length, 0);
  const { design, value, error } = stacked(measurements, n, d);
  let best: { score: number; prior: Float64Array; inverse: Float64Array } | undefined;
  for (const slopes of d > 1 ? STRETCHES : [1]) {
    for (const intercept of STRETCHES) {
      const prior = variances.map((v, j) => v * (j === d - 1 ? intercept : slopes));
      const wide = design.map((x, i) => x * prior[i % d]!);
      const whole = multiply(wide, transpose(design, n, d), n, d, n);
      for (let i = 0; i < whole.length; i++) whole[i]! += error[i]!;
      const l = n > 0 ? factor(symmetric(whole, n), n) : whole;
      const inverse = invertLower(l, n);
      const white = multiply(inverse, value, n, n, 1);
      let score = -(log(slopes) ** 2 + log(intercept) ** 2) / 2;
      for (let i = 0; i < n; i++) score -= white[i]! ** 2 / 2 + log(l[i * n + i]!);
      if (!best || score > best.score) best = { score, prior, inverse };
    }
  }
  const { prior, inverse } = best!;
  const gain = multiply(
    inverse,
    design.map((x, i) => x * prior[i % d]!),
    n,
    n,
    d,
  );
  const mean = multiply(transpose(gain, n, d), multiply(inverse, value, n, n, 1), d, n, 1);
  const covariance = multiply(transpose(gain, n, d), gain, d, n, d).map((x) => -x);
  for (let j = 0; j < d; j++) covariance[j * d + j]! += prior[j]!;
  const whole = multiply(transpose(gain, n, d), inverse, d, n, n);
  return { mean, covariance: symmetric(covariance, d), gain: whole, prior };
}

/** All measurements as one, their errors taken to be independent. */
export function stacked(measurements: readonly Measurement[], n: number, d: number) {
  const design = new Float64Array(n * d);
  const value = new Float64Array(n);
  const error = new Float64Array(n * n);
  let at = 0;
  for (const one of measurements) {
    const rows = one.value.length;
    design.set(one.design, at * d);
    value.set(one.value, at);
    for (let i = 0; i < rows; i++) {
      error.set(one.error.subarray(i * rows, (i + 1) * rows), (at + i) * n + at);
    }
    at += rows;
  }
  return { design, value, error };
}
