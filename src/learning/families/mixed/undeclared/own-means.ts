/**
 * Labels on features about their task's mean (centering within clusters: Enders and Tofighi 2007): for columns of which neither
 * location nor size is known. Effects are of differences within tasks, and log-odds at a task's mean are what intercepts have in common.
 * @module
 */
import type { MixedModels } from "../exchange.js";
import type { TaskRows } from "../spectra/task-spectrum.js";
import { changedPoints, changedTriangles, type Change } from "../units/change-units.js";
import type { GivenRows } from "./within-tasks.js";

/** Rows about their task's mean, the constant as it is, and those means, [m, d]; that of the constant is 1. */
export function aboutMeans({ x, y, offsets, weights }: GivenRows): {
  readonly rows: TaskRows;
  readonly means: Float64Array;
} {
  const m = offsets.length - 1;
  const d = y.length > 0 ? x.length / y.length : 0;
  const means = new Float64Array(m * d);
  const about = x.slice();
  for (let i = 0; i < m; i++) {
    const mean = means.subarray(i * d, (i + 1) * d);
    let mass = 0;
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) {
      const weight = weights?.[row] ?? 1;
      mass += weight;
      for (let c = 0; c < d; c++) mean[c]! += (weight / mass) * (x[row * d + c]! - mean[c]!);
    }
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) {
      for (let c = 0; c < d - 1; c++) about[row * d + c]! -= mean[c]!;
    }
  }
  return { rows: { x: about, y, offsets }, means };
}

/**
 * Models of such rows as models of the rows that were given.
 * @param untold ascending positions of coordinates that are the same in all rows of a task; the constant is the last.
 */
export function fromMeans<T extends Omit<MixedModels, "prior">>(
  given: T,
  means: Float64Array,
  untold: readonly number[],
): T {
  const m = given.noise.length;
  const d = means.length / m;
  const changes = Array.from({ length: m }, (_, i) =>
    changeBy(means.subarray(i * d, (i + 1) * d), untold),
  );
  const byTask = (all: Float64Array, change: (own: Change, part: Float64Array) => Float64Array) => {
    const size = all.length / m;
    const out = new Float64Array(all.length);
    changes.forEach((own, i) =>
      out.set(change(own, all.subarray(i * size, (i + 1) * size)), i * size),
    );
    return out;
  };
  const { models, covariances, mixtures } = given;
  return {
    ...given,
    models: byTask(models, changedPoints),
    covariances: byTask(covariances, changedTriangles),
    ...(mixtures && {
      mixtures: {
        weights: mixtures.weights,
        means: byTask(mixtures.means, changedPoints),
        covariances: byTask(mixtures.covariances, changedTriangles),
      },
    }),
  };
}

/** The intercept b at the mean as b - mean . w at 0, and no coefficient of what is untold. */
function changeBy(mean: Float64Array, untold: readonly number[]): Change {
  const d = mean.length;
  const factors = new Float64Array(d);
  const constant = new Float64Array(d);
  for (let c = 0; c < d - 1; c++) {
    if (untold.includes(c)) continue;
    factors[c] = 1;
    constant[c] = -mean[c]!;
  }
  factors[d - 1] = constant[d - 1] = 1;
  return { factors, constant, shift: new Float64Array(d) };
}
