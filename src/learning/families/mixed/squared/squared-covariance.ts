/**
 * The correlations of the tasks' models: the noisy sum of the outer products of their directions around the
 * fixed effects, as in feature learning.
 * @module
 */
import { withSafeSquares } from "../../../../linalg/norm.js";
import { packed, triangle, unpacked } from "../../../../linalg/packed-symmetric.js";
import { eigh } from "../../../../linalg/index.js";
import { symmetric, trace } from "../../../../linalg/small-matrices.js";
import { COVARIANCE, NOISE_MULTIPLES } from "./squared-settings.js";
import { type SquaredState } from "./squared-state.js";
import type { TaskSpectra } from "../spectra/task-spectra.js";
import { fromEigen } from "../spectra/from-eigen.js";

/** Every task's u u^T, u its posterior mean around the fixed effects in units of the deviations, of length 1. */
export function covarianceUploads(state: SquaredState, tasks: TaskSpectra): Float64Array {
  const { d } = state.sizes;
  const l = state.root;
  const { deviations } = state;
  const out = new Float64Array(tasks.m * triangle(d));
  const outer = new Float64Array(d * d);
  tasks.forEach(state.effects, l, (task, i) => {
    const z = new Float64Array(d);
    const weights = state.noiseWeights(task);
    NOISE_MULTIPLES.forEach((multiple, j) =>
      task.addMean(1, state.noise * multiple, weights[j]!, z),
    );
    const mean = new Float64Array(d);
    for (let c = 0; c < d; c++) {
      for (let k = 0; k <= c; k++) mean[c]! += l[c * d + k]! * z[k]!;
      mean[c]! /= deviations[c]!;
    }
    const u = withSafeSquares(mean);
    if (!u) return;
    const square = u.reduce((sum, x) => sum + x * x, 0);
    for (let c = 0; c < d; c++) {
      for (let e = 0; e < d; e++) outer[c * d + e] = (u[c]! * u[e]!) / square;
    }
    packed(outer, d, 1, out.subarray(i * triangle(d), (i + 1) * triangle(d)));
  });
  return out;
}

/** Takes the noisy sum: its spectrum beyond the noise's edge becomes the correlation. */
export function receiveCovariance(state: SquaredState, sum: Float64Array, deviation: number): void {
  const { d, m } = state.sizes;
  const { values, vectors } = eigh(symmetric(unpacked(sum, d), d), d);
  const edge = deviation * Math.sqrt(2 * d);
  const floor = (COVARIANCE.floor * edge * d) / m + COVARIANCE.least;
  const kept = values.map((value) => (Math.max(0, value - COVARIANCE.cut * edge) * d) / m + floor);
  const correlation = symmetric(fromEigen(vectors, kept, d), d);
  const scale = d / trace(correlation, d);
  state.correlation = correlation.map((x) => x * scale);
}
