/**
 * The correlations of the tasks' models: the noisy sum of the outer products of their directions around the
 * fixed effects, as in feature learning.
 * @module
 */
import { sumOfSquares, withSafeSquares } from "../../../../../linalg/norm.js";
import { packed, triangle, unpacked } from "../../../../../linalg/packed-symmetric.js";
import { eigh } from "../../../../../linalg/index.js";
import { congruence } from "../../../../../linalg/kernel-products.js";
import {
  apply,
  factor,
  invertLower,
  symmetric,
  times,
  trace,
} from "../../../../../linalg/small-matrices.js";
import { shrinkOptimally } from "../../../../sharing/shrink-spectrum.js";
import { COVARIANCE, NOISE_MULTIPLES } from "../squared-settings.js";
import type { MixedSizes } from "../../exchange.js";
import type { DirectionsSum, SquaredState } from "../squared-state.js";
import type { TaskSpectra } from "../../spectra/task-spectra.js";
import { UploadRoom } from "../../upload-room.js";
import { fromEigen } from "../../spectra/from-eigen.js";

/**
 * Every task's u u^T, u its posterior mean around the fixed effects in units of the deviations, of length 1; where the second release is
 * refined, in the coordinates in which the correlations of the first are the identity, so that a task spends its length on what that missed.
 * @param room where they are left.
 */
export function covarianceUploads(
  state: SquaredState,
  tasks: TaskSpectra,
  room = new UploadRoom(),
): Float64Array {
  const { d } = state.sizes;
  const l = state.root;
  const { deviations, noise } = state;
  const out = room.take(tasks.m * triangle(d));
  const outer = new Float64Array(d * d);
  const [z, moved] = [new Float64Array(d), new Float64Array(d)];
  const root = refinedRoot(state);
  const toRefined = root && invertLower(root, d);
  for (let i = 0; i < tasks.m; i++) {
    const task = tasks.of(i, state.effects, l);
    const weights = state.noiseWeights(task);
    z.fill(0);
    for (let j = 0; j < weights.length; j++) {
      task.addMean(1, noise * NOISE_MULTIPLES[j]!, weights[j]!, z);
    }
    apply(l, z, d, d, moved);
    for (let c = 0; c < d; c++) moved[c]! /= deviations[c]!;
    const u = withSafeSquares(toRefined ? apply(toRefined, moved, d, d, z) : moved);
    if (!u) continue;
    const square = sumOfSquares(u);
    for (let c = 0; c < d; c++) {
      for (let e = 0; e < d; e++) outer[c * d + e] = (u[c]! * u[e]!) / square;
    }
    packed(outer, d, 1, out.subarray(i * triangle(d), (i + 1) * triangle(d)));
  }
  return out;
}

/** Takes the noisy sum: its spectrum beyond the noise's edge becomes the correlation. */
export function receiveCovariance(state: SquaredState, sum: Float64Array, deviation: number): void {
  const { d, m } = state.sizes;
  const root = refinedRoot(state);
  if (root) {
    state.correlation = refined(root, { sum, deviation }, state.sizes);
    return;
  }
  const both = withFirst(state, { sum, deviation });
  const { values, vectors } = eigh(symmetric(unpacked(both.sum, d), d), d);
  const edge = edgeOf(both, d);
  const floor = (COVARIANCE.floor * edge * d) / m + COVARIANCE.least;
  const kept = values.map((value) => (Math.max(0, value - COVARIANCE.cut * edge) * d) / m + floor);
  const correlation = symmetric(fromEigen(vectors, kept, d), d);
  state.correlation = times(correlation, d / trace(correlation, d));
}

/**
 * The root of the correlations of the first release where the second is of its coordinates, as in feature learning: what the first explained
 * is scaled down, and what it missed up. That needs many coordinates, and little noise: elsewhere the mean of both is better.
 */
function refinedRoot({
  first,
  correlation,
  sizes: { d, m },
}: SquaredState): Float64Array | undefined {
  const { features, edge } = COVARIANCE.refined;
  if (!first || d < features || edgeOf(first, d) >= edge * m) return undefined;
  return factor(correlation, d);
}

/** The correlation L Z L^T, of trace d, Z what the noisy sum in the coordinates of L says. */
function refined(root: Float64Array, last: DirectionsSum, { d, m }: MixedSizes): Float64Array {
  const { values, vectors } = eigh(symmetric(unpacked(last.sum, d), d), d);
  const edge = edgeOf(last, d);
  shrinkOptimally(values, { mean: 0, edge, deviation: edge / 2 }, m, { floor: "auto" });
  const found = congruence(root, fromEigen(vectors, values, d), d, d);
  const correlation = times(found, d / trace(found, d));
  for (let c = 0; c < d; c++) correlation[c * (d + 1)]! += COVARIANCE.refined.least;
  return correlation;
}

/** (1 - part) a + part b. */
function between(a: Float64Array, b: Float64Array, part: number): Float64Array {
  const out = new Float64Array(a.length);
  for (let k = 0; k < out.length; k++) out[k] = (1 - part) * a[k]! + part * b[k]!;
  return out;
}

/** Largest eigenvalue of the noise of a sum, nearly. */
const edgeOf = ({ deviation }: DirectionsSum, d: number): number => deviation * Math.sqrt(2 * d);

/**
 * The mean of this sum and the first: two draws of the noise for one. Models were not as good when the first was made, so it counts up to a half, the
 * less the smaller the noise.
 */
function withFirst(state: SquaredState, last: DirectionsSum): DirectionsSum {
  const { first, sizes } = state;
  state.first ??= { sum: last.sum.slice(), deviation: last.deviation };
  if (!first) return last;
  const square = (edgeOf(last, sizes.d) / sizes.m) ** 2;
  const part = (0.5 * square) / (square + COVARIANCE.first ** 2);
  return {
    sum: between(last.sum, first.sum, part),
    deviation: Math.sqrt(((1 - part) * last.deviation) ** 2 + (part * first.deviation) ** 2),
  };
}
