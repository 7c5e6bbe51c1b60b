/**
 * The belief that a noisy sum of the tasks' log evidence leaves: a Gaussian process whose kernel is taken from the synthetic
 * tasks.
 * @module
 */
import { exp, log } from "../../../../../core/elementary.js";
import { factor, invertLower, multiply, transpose } from "../../../../../linalg/small-matrices.js";
import { CARRIED, type SurfaceShape } from "./evidence-shape.js";
import { publicDraws } from "../../public-draws.js";
import { softmax } from "../../../../../linalg/softmax.js";

/** A Gaussian belief about the sum of the tasks' weighted surfaces. */
export interface SurfaceBelief {
  readonly mean: Float64Array;
  readonly covariance: Float64Array;
}

/** Sizes of the surface per task, relative to the synthetic tasks': 20 from .02 to 3, and the belief about their logarithm. */
const SIZES = { count: 20, least: 0.02, most: 3, median: 0.3, spread: 1.5 } as const;
const DRAWS = 400;

/** What a noisy sum over m tasks leaves: the belief about the sum, and about the hypotheses. */
export function smoothSurface(
  sum: Float64Array,
  deviation: number,
  { weights, kernel }: SurfaceShape,
  logPrior: Float64Array,
  m: number,
  earlier?: SurfaceBelief,
): { readonly belief: SurfaceBelief; readonly weights: Float64Array } {
  const n = sum.length;
  let best:
    { score: number; prior: Float64Array; start: Float64Array; inverse: Float64Array } | undefined;
  for (const carried of earlier ? CARRIED : [0]) {
    const start = sum.map((_, h) => (earlier ? carried * earlier.mean[h]! : 0));
    const rest = sum.map((value, h) => value - start[h]!);
    for (let k = 0; k < SIZES.count; k++) {
      const size = SIZES.least * exp((k / (SIZES.count - 1)) * log(SIZES.most / SIZES.least));
      const prior = kernel.map(
        (value, i) =>
          (m * size) ** 2 * value + (earlier ? carried ** 2 * earlier.covariance[i]! : 0),
      );
      const whole = prior.slice();
      for (let h = 0; h < n; h++) whole[h * n + h]! += deviation ** 2;
      const l = factor(whole, n);
      const inverse = invertLower(l, n);
      const white = multiply(inverse, rest, n, n, 1);
      let score = -((log(size / SIZES.median) / SIZES.spread) ** 2) / 2;
      for (let h = 0; h < n; h++) score -= white[h]! ** 2 / 2 + log(l[h * n + h]!);
      if (!best || score > best.score) best = { score, prior, start, inverse };
    }
  }
  const { prior, start, inverse } = best!;
  const gain = multiply(inverse, prior, n, n, n); // L^-1 G
  const rest = sum.map((value, h) => value - start[h]!);
  const update = multiply(transpose(gain, n, n), multiply(inverse, rest, n, n, 1), n, n, 1);
  const mean = start.map((value, h) => value + update[h]!);
  const explained = multiply(transpose(gain, n, n), gain, n, n, n);
  const covariance = prior.map((value, i) => value - explained[i]!);
  // Relative to what as uncertain a surface says without a release: noise alone leaves the public prior.
  const seen = averageBelief(mean, covariance, weights, logPrior);
  const unseen = averageBelief(new Float64Array(n), prior, weights, logPrior);
  const publicPrior = softmax(logPrior);
  const ratio = seen.map((value, h) => (publicPrior[h]! * value) / Math.max(unseen[h]!, 1e-3));
  const total = ratio.reduce((a, b) => a + b, 0);
  return { belief: { mean, covariance }, weights: ratio.map((value) => value / total) };
}

/** Mean over draws of the surface of the hypotheses' probabilities. */
function averageBelief(
  mean: Float64Array,
  covariance: Float64Array,
  weights: Float64Array,
  logPrior: Float64Array,
): Float64Array {
  const n = mean.length;
  let size = 0;
  for (let h = 0; h < n; h++) size = Math.max(size, covariance[h * n + h]!);
  const root = factor(
    covariance.map((value, i) => (i % (n + 1) === 0 ? value + 1e-9 * size + 1e-300 : value)),
    n,
  );
  const draws = multiply(publicDraws(DRAWS * n), transpose(root, n, n), DRAWS, n, n);
  const out = new Float64Array(n);
  for (let k = 0; k < DRAWS; k++) {
    const surface = mean.map(
      (value, h) => (value + draws[k * n + h]!) / weights[h]! + logPrior[h]!,
    );
    softmax(surface).forEach((value, h) => (out[h]! += value / DRAWS));
  }
  return out;
}
