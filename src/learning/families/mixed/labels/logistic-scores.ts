/**
 * Scores of the fixed effects of a logistic mixed model: the metric in which a task's score is clipped, and the
 * belief that all noisy sums of scores leave together.
 * @module
 */
import { exp } from "../../../../core/elementary.js";
import { eigh } from "../../../../linalg/decompositions.js";
import {
  factor,
  invertLower,
  multiply,
  symmetric,
  transpose,
} from "../../../../linalg/small-matrices.js";
import { meanSlope, mixturePosterior } from "../scale-mixture.js";

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
}

/** One that measurements left. */
export interface MeasuredEffects extends EffectsBelief {
  /** What the mean follows of the values of the measurements, [d, rows]. */
  readonly gain: Float64Array;
  /** Variances of the normals that stand for the effects' priors, [d]. */
  readonly prior: Float64Array;
  /** Variances of the effects before anything was measured, as far as errors go that are stated, [d]. */
  readonly unmeasured: Float64Array;
}

/**
 * Fixed effects from all measurements so far, under a prior by which some are large and most are near zero: those no larger
 * than the noise stay there.
 * @param variances that the sizes of effects are multiples of: those by which tasks are thought to differ, [d].
 */
export function fixedEffects(
  measurements: readonly Measurement[],
  variances: Float64Array,
): MeasuredEffects {
  const d = variances.length;
  const n = measurements.reduce((sum, { value }) => sum + value.length, 0);
  const { design, value, error } = stacked(measurements, n, d);
  const white = n > 0 ? invertLower(factor(symmetric(error, n), n), n) : error;
  const seen = multiply(white, design, n, n, d);
  const back = transpose(seen, n, d);
  const precision = symmetric(multiply(back, seen, d, n, d), d);
  const pull = multiply(back, multiply(white, value, n, n, 1), d, n, 1);
  const found = mixturePosterior({ precision, pull }, variances);
  const gain = multiply(found.error, multiply(back, white, d, n, n), d, d, n);
  // A slope that was drawn to zero is off by as much as slopes are large, not by what the belief in a small one says.
  const slope = meanSlope(found.weights);
  const unmeasured = found.variances.map((own, j) =>
    j < d - 1 ? Math.max(own, slope * variances[j]!) : own,
  );
  return { mean: found.mean, covariance: found.error, gain, prior: found.variances, unmeasured };
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
