/**
 * What was learned in units of about unit size, in those of the data, and the way there: models, their covariances, priors.
 * @module
 */
import { packedTriangle, unpackedTriangle } from "../../../linalg/packed-symmetric.js";
import { congruence } from "../../../linalg/kernel-products.js";
import { apply } from "../../../linalg/small-matrices.js";
import type { MixedMixtures, MixedModels, MixedPrior } from "./exchange.js";
import type { Units } from "./units.js";

/** The affine map of a model's coordinates: w = map w' + shift. */
export interface Change {
  readonly map: Float64Array;
  readonly shift: Float64Array;
}

/** y = yc + ys sum_c w'_c (x_c - center_c) / size_c, its last coordinate that of the constant. */
function fromUnits({ centers, sizes, targetCenter, targetSize }: Units): Change {
  const d = centers.length;
  const map = new Float64Array(d * d);
  for (let c = 0; c < d; c++) {
    map[c * d + c] = targetSize / sizes[c]!;
    if (c < d - 1) map[(d - 1) * d + c] = (-centers[c]! * targetSize) / sizes[c]!;
  }
  const shift = new Float64Array(d);
  shift[d - 1] = targetCenter;
  return { map, shift };
}

/** The inverse of `fromUnits`. */
function toUnits({ centers, sizes, targetCenter, targetSize }: Units): Change {
  const d = centers.length;
  const map = new Float64Array(d * d);
  for (let c = 0; c < d; c++) {
    map[c * d + c] = sizes[c]! / targetSize;
    if (c < d - 1) map[(d - 1) * d + c] = centers[c]! / targetSize;
  }
  const shift = new Float64Array(d);
  shift[d - 1] = -targetCenter / targetSize;
  return { map, shift };
}

/** Points [count, d], changed. */
export function changedPoints({ map, shift }: Change, points: Float64Array): Float64Array {
  const d = shift.length;
  const out = new Float64Array(points.length);
  for (let at = 0; at < points.length; at += d) {
    out.set(
      apply(map, points.subarray(at, at + d), d, d).map((value, c) => value + shift[c]!),
      at,
    );
  }
  return out;
}

/** Covariances [count, d (d + 1) / 2] of points, lower triangles, changed. */
export function changedTriangles({ map, shift }: Change, triangles: Float64Array): Float64Array {
  const d = shift.length;
  const count = (d * (d + 1)) / 2;
  const out = new Float64Array(triangles.length);
  for (let at = 0; at < triangles.length; at += count) {
    const matrix = congruence(map, unpackedTriangle(triangles.subarray(at, at + count), d), d, d);
    out.set(packedTriangle(matrix, d), at);
  }
  return out;
}

const changedMixtures = (
  change: Change,
  { weights, means, covariances }: MixedMixtures,
): MixedMixtures => ({
  weights,
  means: changedPoints(change, means),
  covariances: changedTriangles(change, covariances),
});

/** A prior in other units; of several classes every part of it. */
function changedPrior(prior: MixedPrior, change: Change, noiseFactor: number): MixedPrior {
  const d = change.shift.length;
  const matrix = (all: Float64Array) => {
    const out = new Float64Array(all.length);
    for (let at = 0; at < all.length; at += d * d) {
      out.set(congruence(change.map, all.subarray(at, at + d * d), d, d), at);
    }
    return out;
  };
  return {
    fixedEffects: changedPoints(change, prior.fixedEffects),
    ...(prior.statedEffects && { statedEffects: changedPoints(change, prior.statedEffects) }),
    fixedEffectsCovariance: matrix(prior.fixedEffectsCovariance),
    releaseCovariance: matrix(prior.releaseCovariance),
    covariance: matrix(prior.covariance),
    noise: prior.noise * noiseFactor,
    unsure: prior.unsure,
    ...(prior.unseen && { unseen: changedMixtures(change, prior.unseen) }),
    ofTasks: prior.ofTasks,
  };
}

/** A prior that is stated for the data as given, in the units. */
export const priorInUnits = (units: Units, prior: MixedPrior): MixedPrior =>
  changedPrior(prior, toUnits(units), 1 / units.targetSize ** 2);

/** A prior in the units, stated for the data as given. */
export const priorFromUnits = (units: Units, prior: MixedPrior): MixedPrior =>
  changedPrior(prior, fromUnits(units), units.targetSize ** 2);

/** A model of the data as given, in the units: [d]. */
export const modelInUnits = (units: Units, model: Float64Array): Float64Array =>
  changedPoints(toUnits(units), model);

/** Everything learned in the units, for the data as given. */
export function modelsFromUnits(units: Units, models: MixedModels): MixedModels {
  const change = fromUnits(units);
  const { mixtures } = models;
  const square = units.targetSize ** 2;
  return {
    ...models,
    models: changedPoints(change, models.models),
    covariances: changedTriangles(change, models.covariances),
    ...(mixtures && { mixtures: changedMixtures(change, mixtures) }),
    noise: models.noise.map((value) => value * square),
    ...(models.noises
      ? { noises: { ...models.noises, levels: models.noises.levels.map((e) => e * square) } }
      : {}),
    prior: changedPrior(models.prior, change, square),
  };
}
