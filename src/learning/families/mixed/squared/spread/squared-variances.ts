/**
 * Variance components from noisy scores of the marginal likelihood: one Fisher step a release.
 * @module
 */
import {
  diagonal,
  factor,
  invertDefinite,
  multiply,
  symmetric,
  trace,
} from "../../../../../linalg/small-matrices.js";
import { meanRank } from "../squared-plan.js";
import { clippedScores } from "./clipped-scores.js";
import { BELIEF, LEAST_NOISE_ROWS, NOISE_SPREAD } from "../squared-settings.js";
import { VARIANCES, type SquaredState } from "../squared-state.js";
import type { TaskSpectra } from "../../spectra/task-spectra.js";
import { VarianceScores } from "./variance-scores.js";

/** Clip of the scaled scores: that of three of variance 1. */
const CLIP = Math.sqrt(VARIANCES);

/** Expected information of a task on the three logarithms, from public sizes and what was released. */
function expectedInformation(state: SquaredState): Float64Array {
  const { d, meanRows } = state.sizes;
  const slopes = Math.max(Math.min(meanRank(state.sizes), Math.max(d - 1, 1)), 1);
  const { covariance } = state;
  const explained = multiply(covariance, state.meanInformation(covariance), d, d, d);
  const slopesPart = trace(explained, d) - explained[d * d - 1]!;
  const told = Math.min(Math.max(slopesPart, 0.02), slopes);
  const intercept = Math.min(Math.max(explained[d * d - 1]!, 0.02), 1);
  const noiseRows = Math.max(meanRows - told - intercept, LEAST_NOISE_ROWS * meanRows);
  return Float64Array.of(
    (told * told) / (2 * slopes),
    (intercept * intercept) / 2,
    1 / (2 / noiseRows + NOISE_SPREAD),
  );
}

/** The tasks' uploads: their scaled scores, held to norm 1, [batch, 3]. */
export function varianceUploads(state: SquaredState, tasks: TaskSpectra): Float64Array {
  const { d } = state.sizes;
  const { covariance } = state;
  const l = factor(covariance, d);
  const scale = expectedInformation(state).map((f) => 1 / Math.sqrt(f));
  const { core } = tasks;
  const mark = core.arena.mark();
  const out = clippedScores(state, tasks, new VarianceScores(core, state, l, scale), CLIP);
  core.arena.release(mark);
  return out;
}

/**
 * Takes the noisy sum: a step towards the variances, as far as it stands out of the noise.
 * @param widening of the belief, before it is taken.
 */
export function receiveVariances(
  state: SquaredState,
  sum: Float64Array,
  deviation: number,
  widening: number,
): void {
  const { m } = state.sizes;
  const per = expectedInformation(state);
  const belief = state.beforeVariances(widening);
  // In units of a score: the sum was of scores over sqrt(f), held to CLIP.
  const score = per.map((f, k) => sum[k]! * CLIP * Math.sqrt(f));
  const noise = per.map((f) => m * f + (deviation * CLIP) ** 2 * f);
  const info = per.map((f) => m * f);
  const total = belief.map((value, at) => {
    const [i, j] = [Math.floor(at / VARIANCES), at % VARIANCES];
    return info[i]! * value * info[j]! + (i === j ? noise[i]! : 0);
  });
  const gain = multiply(
    multiply(belief, diagonal(info), VARIANCES, VARIANCES, VARIANCES),
    invertDefinite(total, VARIANCES),
    VARIANCES,
    VARIANCES,
    VARIANCES,
  );
  const step = multiply(gain, score, VARIANCES, VARIANCES, 1).map((x) =>
    Math.min(Math.max(x, -BELIEF.step), BELIEF.step),
  );
  state.move(step);
  const told = multiply(
    multiply(gain, diagonal(info), VARIANCES, VARIANCES, VARIANCES),
    belief,
    VARIANCES,
    VARIANCES,
    VARIANCES,
  );
  state.belief = symmetric(
    belief.map((value, at) => value - told[at]!),
    VARIANCES,
  );
}

/** A factor on the variances of slopes and intercept. */
export function scaleVariances(state: SquaredState, logFactor: number): void {
  state.move([logFactor, logFactor, 0]);
}
