/**
 * Scores of the fixed effects of a logistic mixed model: the metric in which a task's score is clipped, and the
 * belief that all noisy sums of scores leave together.
 * @module
 */
import { exp } from "../../../../../core/elementary.js";
import { eigh } from "../../../../../linalg/decompositions.js";
import {
  factor,
  invertLower,
  multiply,
  symmetric,
  transpose,
} from "../../../../../linalg/small-matrices.js";
import { mixturePosterior } from "../../scale-mixture.js";

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

/** What measurements say of the effects: a normal likelihood. */
export interface MeasuredEffects {
  /** All measurements as one. */
  readonly stacked: Pick<Measurement, "design" | "value" | "error">;
  /** What the likelihood's pull follows of their values, [d, rows]. */
  readonly weighed: Float64Array;
  /** [d, d]. */
  readonly precision: Float64Array;
  /** [d]. */
  readonly pull: Float64Array;
}

/** The likelihood of d effects. */
export function measuredEffects(measurements: readonly Measurement[], d: number): MeasuredEffects {
  const n = measurements.reduce((sum, { value }) => sum + value.length, 0);
  const all = stacked(measurements, n, d);
  const { design, value, error } = all;
  const white = n > 0 ? invertLower(factor(symmetric(error, n), n), n) : error;
  const seen = multiply(white, design, n, n, d);
  const back = transpose(seen, n, d);
  return {
    stacked: all,
    weighed: multiply(back, white, d, n, n),
    precision: symmetric(multiply(back, seen, d, n, d), d),
    pull: multiply(back, multiply(white, value, n, n, 1), d, n, 1),
  };
}

/**
 * Fixed effects from all measurements so far, under a prior by which some are large and most are near zero: those no larger
 * than the noise stay there.
 * @param variances that the sizes of effects are multiples of: those by which tasks are thought to differ, [d].
 */
export function fixedEffects(
  measurements: readonly Measurement[],
  variances: Float64Array,
): EffectsBelief {
  const { mean, error } = mixturePosterior(
    measuredEffects(measurements, variances.length),
    variances,
  );
  return { mean, covariance: error };
}

/** All measurements as one, their errors taken to be independent. */
function stacked(measurements: readonly Measurement[], n: number, d: number) {
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
