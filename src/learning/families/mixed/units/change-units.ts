/**
 * What was learned in units of about unit size, in those of the data, and the way there: models, their covariances, priors.
 * @module
 */
import { congruence } from "../../../../linalg/kernel-products.js";
import { triangle } from "../../../../linalg/packed-symmetric.js";
import { diagonal } from "../../../../linalg/small-matrices.js";
import type { MixedMixtures, MixedModels, MixedPrior } from "../exchange.js";
import type { Units } from "./units.js";

/** The affine map of a model's coordinates: each is a multiple of itself, but for the constant's, to which all add. */
export interface Change {
  /** [d]; of the last coordinate the same number as in `constant`. */
  readonly factors: Float64Array;
  /** What the last coordinate takes of each, [d]. */
  readonly constant: Float64Array;
  readonly shift: Float64Array;
}

/** y = yc + ys sum_c w'_c (x_c - center_c) / size_c, its last coordinate that of the constant. */
function fromUnits({ centers, sizes, targetCenter, targetSize }: Units): Change {
  const d = centers.length;
  const factors = sizes.map((size) => targetSize / size);
  const constant = centers.map((center, c) => (-center * targetSize) / sizes[c]!);
  constant[d - 1] = factors[d - 1]!;
  const shift = new Float64Array(d);
  shift[d - 1] = targetCenter;
  return { factors, constant, shift };
}

/** The inverse of `fromUnits`. */
function toUnits({ centers, sizes, targetCenter, targetSize }: Units): Change {
  const d = centers.length;
  const factors = sizes.map((size) => size / targetSize);
  const constant = centers.map((center) => center / targetSize);
  constant[d - 1] = factors[d - 1]!;
  const shift = new Float64Array(d);
  shift[d - 1] = -targetCenter / targetSize;
  return { factors, constant, shift };
}

/** The map as a matrix, [d, d]. */
function matrixOf({ factors, constant }: Change): Float64Array {
  const d = factors.length;
  const map = diagonal(factors);
  map.set(constant, (d - 1) * d);
  return map;
}

/** Points [count, d], changed. */
export function changedPoints(
  { factors, constant, shift }: Change,
  points: Float64Array,
): Float64Array {
  const d = shift.length;
  const out = new Float64Array(points.length);
  for (let at = 0; at < points.length; at += d) {
    let sum = 0;
    for (let c = 0; c < d; c++) {
      out[at + c] = factors[c]! * points[at + c]! + shift[c]!;
      sum += constant[c]! * points[at + c]!;
    }
    out[at + d - 1] = sum + shift[d - 1]!;
  }
  return out;
}

/**
 * Covariances [count, d (d + 1) / 2] of points, lower triangles, changed: M A M^T, whose sums are those of the whole matrices without
 * their zeros. Labels have one of every component of every task.
 */
export function changedTriangles(
  { factors, constant }: Change,
  triangles: Float64Array,
): Float64Array {
  const d = factors.length;
  const last = d - 1;
  const count = triangle(d);
  const out = new Float64Array(triangles.length);
  /** The last row of M A. */
  const row = new Float64Array(d);
  for (let from = 0; from < triangles.length; from += count) {
    row.fill(0);
    for (let k = 0; k < d; k++) {
      for (let j = 0; j < d; j++) row[j]! += constant[k]! * triangles[from + entry(k, j)]!;
    }
    for (let i = 0, at = from; i < d; i++) {
      for (let j = 0; j <= i; j++, at++) {
        if (i < last) {
          const value = triangles[at]!;
          // As the whole product has both triangles, and takes their mean.
          out[at] = (factors[i]! * value * factors[j]! + factors[j]! * value * factors[i]!) / 2;
        } else {
          let across = 0;
          for (let k = 0; k < d; k++) {
            const of = j < last ? factors[j]! * triangles[from + entry(j, k)]! : row[k]!;
            across += of * constant[k]!;
          }
          out[at] = j < last ? (row[j]! * factors[j]! + across) / 2 : across;
        }
      }
    }
  }
  return out;
}

/** Where entry (i, j) of a symmetric matrix is in its lower triangle. */
const entry = (i: number, j: number) => (i < j ? triangle(j) + i : triangle(i) + j);

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
  const map = matrixOf(change);
  const matrix = (all: Float64Array) => {
    const out = new Float64Array(all.length);
    for (let at = 0; at < all.length; at += d * d) {
      out.set(congruence(map, all.subarray(at, at + d * d), d, d), at);
    }
    return out;
  };
  return {
    fixedEffects: changedPoints(change, prior.fixedEffects),
    stated: () => {
      const { statedEffects, fixedEffectsCovariance } = prior.stated();
      return {
        ...(statedEffects && { statedEffects: changedPoints(change, statedEffects) }),
        fixedEffectsCovariance: matrix(fixedEffectsCovariance),
      };
    },
    releaseCovariance: matrix(prior.releaseCovariance),
    covariance: matrix(prior.covariance),
    noise: prior.noise * noiseFactor,
    unsure: prior.unsure,
    ...(prior.unseenCovariance && { unseenCovariance: matrix(prior.unseenCovariance) }),
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
