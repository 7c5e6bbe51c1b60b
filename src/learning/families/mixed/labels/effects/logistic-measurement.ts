/**
 * A noisy sum of scores as a measurement of the fixed effects of a logistic mixed model.
 * @module
 */
import { eigh } from "../../../../../linalg/decompositions.js";
import { congruence } from "../../../../../linalg/kernel-products.js";
import { multiply, transpose } from "../../../../../linalg/small-matrices.js";
import type { PooledInformation } from "./logistic-information.js";
import type { EffectsBelief, Measurement, ScoreMetric } from "./logistic-scores.js";

/** Where scores were taken, and how they were clipped. */
export interface ScoreContext {
  readonly clip: number;
  /** Mean part of a score that the clip leaves. */
  readonly weight: number;
  /** Rounds whose scores count, of the same tasks. */
  readonly asked: number;
  readonly metric: ScoreMetric;
  readonly pooled: PooledInformation;
  /** Scales of the prior, [d]. */
  readonly scales: Float64Array;
  /** Fixed effects at which scores were taken, and the covariance of their error. */
  readonly belief: EffectsBelief;
}

/** The symmetric root of a positive semidefinite matrix. */
function symmetricRoot(a: Float64Array, d: number): Float64Array {
  const { values, vectors } = eigh(a, d);
  const scaled = vectors.map((value, at) => value * Math.sqrt(Math.max(values[at % d]!, 0)));
  return multiply(scaled, transpose(vectors, d, d), d, d, d);
}

/** One step of Newton's method as a linear measurement: score = weight information (effects - mean). */
export function scoreMeasurement(
  sum: Float64Array,
  deviation: number,
  { clip, weight, asked, metric, pooled, scales, belief }: ScoreContext,
): Measurement {
  const d = scales.length;
  const { information, errors } = pooled;
  const sent = Array.from({ length: d }, (_, k) => k).filter((k) => metric.factors[k]! > 0);
  const n = sent.length;
  const directions = new Float64Array(n * d);
  sent.forEach((k, row) => {
    directions.set(metric.directions.subarray(k * d, (k + 1) * d), row * d);
  });
  const design = multiply(directions, information, n, d, d).map(
    (x, at) => (weight * x) / scales[at % d]!,
  );
  const offset = multiply(design, belief.mean, n, d, 1);
  const unit = sent.map((k) => clip / metric.factors[k]!);
  const value = offset.map((x, row) => x + sum[sent[row]!]! * unit[row]!);
  // Scores vary like the information, the same tasks in every round; its own error acts on what effects are off by.
  const varying = information.map((x) => x / asked);
  for (let i = 0; i < d; i++) {
    for (let j = 0; j < d; j++) {
      const off = belief.covariance[j * d + j]! / scales[j]! ** 2;
      varying[i * d + i]! += errors[i * d + j]! * off;
    }
  }
  if (pooled.common) {
    const relative = belief.covariance.map(
      (x, at) => (pooled.common! * x) / (scales[Math.floor(at / d)]! * scales[at % d]!),
    );
    congruence(information, relative, d, d).forEach((x, at) => (varying[at]! += x));
  }
  const error = congruence(directions, varying, n, d).map((x) => weight * weight * x);
  for (let row = 0; row < n; row++) error[row * n + row]! += (deviation * unit[row]!) ** 2;
  const sampling = multiply(directions, symmetricRoot(information, d), n, d, d).map(
    (x) => weight * x,
  );
  return { design, value, error, sampling };
}
