/**
 * Log evidence of hypotheses on the tasks' spread, as a task uploads it, and the belief that a noisy sum of such
 * surfaces leaves: a Gaussian process whose kernel is taken from the synthetic tasks.
 * @module
 */
import { exp, log } from "../../../core/elementary.js";
import { clippedTo } from "../../../linalg/norm.js";
import { factor, invertLower, multiply, transpose } from "../../../linalg/small-matrices.js";
import { infer } from "./expectation-propagation.js";
import { publicDraws } from "./public-draws.js";
import type { Hypotheses } from "./logistic-hypotheses.js";
import { labelled, type SyntheticTasks } from "./logistic-synthetic.js";
import { softmax } from "./softmax.js";

/** How surfaces are weighted and smoothed: public. */
export interface SurfaceShape {
  /** Factor of each component before the clip, [H]. */
  readonly weights: Float64Array;
  /** Covariance of the mean weighted surface over runs, [H, H]. */
  readonly kernel: Float64Array;
}

/** A Gaussian belief about the sum of the tasks' weighted surfaces. */
export interface SurfaceBelief {
  readonly mean: Float64Array;
  readonly covariance: Float64Array;
}

const TASKS = 24;
const ROWS = 12;
/** Part of the kernel that the synthetic tasks do not say anything about, and its length in steps of a factor of 3. */
const REMAINDER = { part: 0.05, length: 2 } as const;
/** Sizes of the surface per task, relative to the synthetic tasks': 20 from .02 to 3, and the belief about their logarithm. */
const SIZES = { count: 20, least: 0.02, most: 3, median: 0.3, spread: 1.5 } as const;
/** What part of an earlier round's belief holds in a later one, whose hypotheses have another mean. */
const CARRIED = [1, 0.5, 0] as const;
const DRAWS = 400;

/** x minus its mean, in place. */
export function centered(x: Float64Array): Float64Array {
  const mean = x.reduce((a, b) => a + b, 0) / x.length;
  return x.map((value) => value - mean);
}

/** Shape of surfaces under a prior with mean 0, from synthetic tasks that obey each hypothesis in turn. */
export function surfaceShape(
  synthetic: SyntheticTasks,
  grid: Hypotheses,
  clip: number,
): SurfaceShape {
  const { count, logPrior } = grid;
  const surfaces = syntheticSurfaces(synthetic, grid);
  const tasks = surfaces[0]!.length;
  const square = new Float64Array(count);
  const prior = softmax(logPrior);
  surfaces.forEach((of, truth) => {
    for (const surface of of) {
      for (let h = 0; h < count; h++) square[h]! += (prior[truth]! * surface[h]! ** 2) / tasks;
    }
  });
  const weights = square.map((value) => 1 / Math.sqrt(count * (value + 1e-9)));
  const kernel = new Float64Array(count * count);
  const flat = softmax(logPrior.map((value) => value / 2));
  surfaces.forEach((of, truth) => {
    const mean = new Float64Array(count);
    for (const surface of of) {
      const clipped = clippedTo(
        surface.map((value, h) => value * weights[h]!),
        clip,
      );
      for (let h = 0; h < count; h++) mean[h]! += clipped[h]! / tasks;
    }
    for (let i = 0; i < count * count; i++) {
      kernel[i]! += flat[truth]! * mean[Math.floor(i / count)]! * mean[i % count]!;
    }
  });
  return { weights, kernel: withRemainder(kernel, grid) };
}

/** Surfaces of runs of other sizes that are kept: every fit of an evaluation, and every participant of a run, asks for the same. */
const MOST_KEPT = 8;
const kept = new Map<string, Float64Array[][]>();

/** Centred surfaces [truth][task] of the first rows of some synthetic tasks. */
function syntheticSurfaces(synthetic: SyntheticTasks, grid: Hypotheses): Float64Array[][] {
  const before = kept.get(synthetic.key);
  if (before) return before;
  const surfaces = computedSurfaces(synthetic, grid);
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(synthetic.key, surfaces);
  return surfaces;
}

function computedSurfaces(
  synthetic: SyntheticTasks,
  { count, scales }: Hypotheses,
): Float64Array[][] {
  const { d } = synthetic;
  const zero = new Float64Array(d);
  const roots = Array.from({ length: count }, (_, h) =>
    spread(scales.subarray(h * d, (h + 1) * d)),
  );
  const tasks = synthetic.tasks.slice(0, TASKS).map((task) => {
    const n = Math.min(task.n, ROWS);
    return { ...task, n, x: task.x.subarray(0, n * d) };
  });
  return roots.map((truth) =>
    tasks.map((task) => {
      const rows = labelled(task, zero, truth);
      return centered(
        Float64Array.from(roots, (root) => infer(rows, { mean: zero, root })?.evidence ?? 0),
      );
    }),
  );
}

function spread(scales: Float64Array): Float64Array {
  const d = scales.length;
  const out = new Float64Array(d * d);
  for (let j = 0; j < d; j++) out[j * d + j] = scales[j]!;
  return out;
}

function withRemainder(kernel: Float64Array, { count, positions }: Hypotheses): Float64Array {
  let mean = 0;
  for (let h = 0; h < count; h++) mean += kernel[h * count + h]! / count;
  const length = REMAINDER.length * log(3);
  return kernel.map((value, i) => {
    const a = Math.floor(i / count);
    const b = i % count;
    let square = 0;
    for (let k = 0; k < 2; k++)
      square += ((positions[2 * a + k]! - positions[2 * b + k]!) / length) ** 2;
    return value + REMAINDER.part * mean * exp(-square / 2);
  });
}

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
