/**
 * A task's own model from noisy moments of its rows, so that whoever is given it learns no record.
 *
 * The posterior under the shared prior given X^T X and X^T y with known noise: X^T X is drawn to what all tasks have, as
 * far as it is noise, and what stays unsure of it widens the equations X^T y = X^T X w + X^T e.
 * @module
 */
import { packedTriangle, triangle, unpacked } from "../../../../linalg/packed-symmetric.js";
import { eigh } from "../../../../linalg/index.js";
import {
  apply,
  factor,
  invertLower,
  multiply,
  transpose,
} from "../../../../linalg/small-matrices.js";
import type { MixedModels, MixedPrior } from "../exchange.js";
import { noiseLevels } from "../squared/solve/hypotheses.js";
import type { NoisyMeans } from "./record-means.js";
import { OWN_GRAM } from "./record-settings.js";
import { OWN_NOISE_PRIOR } from "../squared/squared-settings.js";
import { fromEigen } from "../spectra/from-eigen.js";

/** What every task released to itself. */
export interface OwnMoments {
  /** Sums over rows, [m, (d + 1) (d + 2) / 2], in units of c. */
  readonly moments: Float64Array;
  readonly deviation: number;
  /** Factors that moments were released with; default 1. */
  readonly scales?: readonly number[] | undefined;
  /** c, the largest |z|^2. */
  readonly clip: number;
  /** Rows that shrinking left of a task's, [m]: public sizes times what the release of all rows counted. */
  readonly rows: Float64Array;
}

/** Models of all tasks; nothing in them depends on rows but through the releases. */
export function solveFromMoments(
  prior: MixedPrior,
  shared: NoisyMeans,
  { moments, deviation, scales, clip, rows }: OwnMoments,
): Omit<MixedModels, "prior"> {
  const d = shared.size;
  const m = rows.length;
  const length = triangle(d + 1);
  const models = new Float64Array(m * d);
  const covariances = new Float64Array(m * triangle(d));
  for (let i = 0; i < m; i++) {
    const unit = clip / (scales?.[i] ?? 1);
    const matrix = unpacked(
      moments.subarray(i * length, (i + 1) * length).map((value) => value * unit),
      d + 1,
    );
    const { mean, covariance } = posterior(prior, shared, matrix, deviation * unit, rows[i]!);
    models.set(mean, i * d);
    covariances.set(packedTriangle(covariance, d), i * triangle(d));
  }
  const levels = noiseLevels(prior.noise);
  const weights = new Float64Array(m * levels.length);
  for (let i = 0; i < m; i++) weights.set(OWN_NOISE_PRIOR, i * levels.length);
  const parts = new Float64Array(weights.length).fill(1);
  const noise = new Float64Array(m).fill(prior.noise);
  return {
    models,
    covariances,
    noise,
    noises: { levels, weights, parts },
    alone: new Float64Array(m),
  };
}

function posterior(
  prior: MixedPrior,
  shared: NoisyMeans,
  matrix: Float64Array,
  sigma: number,
  n: number,
) {
  const d = shared.size;
  const a = prior.fixedEffects;
  const spread = prior.covariance.map((value, at) => value + prior.releaseCovariance[at]!);
  const gram = new Float64Array(d * d);
  const doubt = new Float64Array(d);
  for (let i = 0; i < d; i++) {
    for (let j = 0; j < d; j++) {
      const at = i * d + j;
      const own = i === j;
      const noise = own ? sigma ** 2 : sigma ** 2 / 2;
      const varies = ((own ? OWN_GRAM.spread : OWN_GRAM.cross) * n) ** 2;
      const part = varies / (varies + noise);
      const mean = n * shared.gram[at]!;
      gram[at] = mean + part * (matrix[i * (d + 1) + j]! - mean);
      doubt[i]! += part * noise * (a[j]! ** 2 + spread[j * d + j]!);
    }
  }
  const { values, vectors } = eigh(gram, d);
  const g = fromEigen(
    vectors,
    values.map((value) => Math.max(value, 0)),
    d,
  );
  const residual = apply(g, a, d, d).map((value, i) => matrix[i * (d + 1) + d]! - value);
  // Cov of the equations, G P G + s G + doubt, and the gain P G of their inverse.
  const gain = multiply(spread, g, d, d, d);
  const told = multiply(g, gain, d, d, d).map((value, at) => value + prior.noise * g[at]!);
  for (let i = 0; i < d; i++) told[i * d + i]! += doubt[i]! + sigma ** 2 / 2;
  const inverse = invertLower(factor(told, d), d);
  const white = multiply(inverse, transpose(gain, d, d), d, d, d);
  const moved = apply(transpose(white, d, d), apply(inverse, residual, d, d), d, d);
  const known = multiply(transpose(white, d, d), white, d, d, d);
  return {
    mean: a.map((value, c) => value + moved[c]!),
    covariance: spread.map((value, at) => value - known[at]!),
  };
}
