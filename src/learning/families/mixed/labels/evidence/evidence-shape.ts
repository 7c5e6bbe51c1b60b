/**
 * What tasks' log evidence of hypotheses on their spread is expected to look like: how it is weighted before the clip, and
 * what synthetic tasks that obey each hypothesis would upload.
 * @module
 */
import { exp, log } from "../../../../../core/elementary.js";
import { clippedTo } from "../../../../../linalg/norm.js";
import { diagonal } from "../../../../../linalg/small-matrices.js";
import { logEvidences } from "../posterior/expectation-propagation.js";
import type { Hypotheses } from "./logistic-hypotheses.js";
import { labelled, type SyntheticTasks } from "./logistic-synthetic.js";
import { softmax } from "../../../../../linalg/softmax.js";

/** How surfaces are weighted, and what is expected of those that are uploaded: public. */
export interface SurfaceShape {
  /** Factor of each component before the clip, [H]. */
  readonly weights: Float64Array;
  /** Mean upload of the synthetic tasks of each hypothesis, [H] each. */
  readonly means: readonly Float64Array[];
  /** Covariance of an upload around the mean of its hypothesis, [H, H]. */
  readonly within: Float64Array;
  /** Covariance over runs of the part of a mean upload that the synthetic tasks do not say anything about, [H, H]. */
  readonly remainder: Float64Array;
  /** Second moments of a mean upload over runs, [H, H]. */
  readonly kernel: Float64Array;
}

const TASKS = 24;
const ROWS = 12;
/** Part of the second moments that the synthetic tasks do not say anything about, and its length in steps of a factor of 3. */
const REMAINDER = { part: 0.05, length: 2 } as const;

/** What part of an earlier round's belief may hold in a later one, whose hypotheses have another mean. */
export const CARRIED = [1, 0.5, 0] as const;

/** x minus its mean. */
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
  const uploads = surfaces.map((of) =>
    of.map((surface) =>
      clippedTo(
        surface.map((value, h) => value * weights[h]!),
        clip,
      ),
    ),
  );
  const means = uploads.map((of) => meanOf(of, count));
  const within = new Float64Array(count * count);
  uploads.forEach((of, truth) => {
    for (const upload of of) {
      const off = upload.map((value, h) => value - means[truth]![h]!);
      addProducts(within, off, prior[truth]! / tasks);
    }
  });
  const kernel = new Float64Array(count * count);
  const flat = softmax(logPrior.map((value) => value / 2));
  means.forEach((mean, truth) => addProducts(kernel, mean, flat[truth]!));
  const remainder = unsaid(kernel, grid);
  return {
    weights,
    means,
    within,
    remainder,
    kernel: kernel.map((value, i) => value + remainder[i]!),
  };
}

function meanOf(vectors: readonly Float64Array[], length: number): Float64Array {
  const mean = new Float64Array(length);
  for (const vector of vectors) {
    for (let h = 0; h < length; h++) mean[h]! += vector[h]! / vectors.length;
  }
  return mean;
}

/** sum += part x x^T. */
function addProducts(sum: Float64Array, x: Float64Array, part: number): void {
  const n = x.length;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) sum[i * n + j]! += part * x[i]! * x[j]!;
  }
}

/** Surfaces of runs of other sizes that are kept: every fit of an evaluation, and every participant of a run, asks for the same. */
const MOST_KEPT = 8;
const kept = new Map<string, Float64Array[][]>();

/** Centred surfaces [truth][task] of the first rows of some synthetic tasks. */
function syntheticSurfaces(synthetic: SyntheticTasks, grid: Hypotheses): Float64Array[][] {
  // Of several classes the hypotheses are others than of two.
  const key = `${synthetic.key} ${grid.scales.join()}`;
  const before = kept.get(key);
  if (before) return before;
  const surfaces = computedSurfaces(synthetic, grid);
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(key, surfaces);
  return surfaces;
}

function computedSurfaces(
  synthetic: SyntheticTasks,
  { count, scales }: Hypotheses,
): Float64Array[][] {
  const { d } = synthetic;
  const zero = new Float64Array(d);
  const roots = Array.from({ length: count }, (_, h) =>
    diagonal(scales.subarray(h * d, (h + 1) * d)),
  );
  const priors = roots.map((root) => ({ mean: zero, root }));
  const tasks = synthetic.tasks.slice(0, TASKS).map((task) => {
    const n = Math.min(task.n, ROWS);
    return { ...task, n, x: task.x.subarray(0, n * d) };
  });
  return roots.map((truth) =>
    tasks.map((task) => {
      const rows = labelled(task, zero, truth);
      return centered(logEvidences(rows, priors).map((value) => (Number.isNaN(value) ? 0 : value)));
    }),
  );
}

function unsaid(kernel: Float64Array, { count, positions }: Hypotheses): Float64Array {
  let mean = 0;
  for (let h = 0; h < count; h++) mean += kernel[h * count + h]! / count;
  const length = REMAINDER.length * log(3);
  return kernel.map((_, i) => {
    const a = Math.floor(i / count);
    const b = i % count;
    let square = 0;
    for (let k = 0; k < 2; k++)
      square += ((positions[2 * a + k]! - positions[2 * b + k]!) / length) ** 2;
    return REMAINDER.part * mean * exp(-square / 2);
  });
}
