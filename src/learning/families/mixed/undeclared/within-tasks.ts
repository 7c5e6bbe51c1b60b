/**
 * Differences within tasks as contrasts of rows: what tasks have in common is learned from how their rows differ from one another, and
 * every task keeps a level of its own. For columns of which neither location nor size is known.
 *
 * A task's n rows become n - 1 contrasts, orthonormal to the constant (Patterson and Thompson 1971): they have the noise of rows
 * and no intercept. Given slopes w, the level is mean(y) - mean(x) . w with noise / n: the posterior under a flat prior of the intercept.
 * @module
 */
import { triangle } from "../../../../linalg/packed-symmetric.js";
import type { MixedModels } from "../exchange.js";
import type { TaskRows } from "../spectra/task-spectrum.js";

/** Rows as they were given. */
export interface GivenRows extends TaskRows {
  /** Weights of the rows, [N]; absent: all 1. */
  readonly weights?: Float64Array | undefined;
}

/** Where the rows of tasks lie. */
export interface TaskMeans {
  /** [m, d]; of the constant 1. */
  readonly x: Float64Array;
  /** [m]. */
  readonly y: Float64Array;
  /** Rows, or the sum of their weights, [m]. */
  readonly mass: Float64Array;
}

/** Contrasts of rows, each like a row of weight 1 without a constant, and the means that they leave out. */
export function differencesOf({ x, y, offsets, names, weights }: GivenRows): {
  readonly rows: TaskRows;
  readonly means: TaskMeans;
} {
  const m = offsets.length - 1;
  const d = y.length > 0 ? x.length / y.length : 0;
  const means = {
    x: new Float64Array(m * d),
    y: new Float64Array(m),
    mass: new Float64Array(m),
  };
  const kept = new Uint32Array(m + 1);
  for (let i = 0; i < m; i++) {
    kept[i + 1] = kept[i]! + Math.max(offsets[i + 1]! - offsets[i]! - 1, 0);
  }
  const rows = {
    x: new Float64Array(kept[m]! * d),
    y: new Float64Array(kept[m]!),
    offsets: kept,
    names,
  };
  for (let i = 0; i < m; i++) {
    const mean = means.x.subarray(i * d, (i + 1) * d);
    let [target, mass] = [0, 0];
    for (let row = offsets[i]!, into = kept[i]!; row < offsets[i + 1]!; row++) {
      const weight = weights?.[row] ?? 1;
      const own = x.subarray(row * d, (row + 1) * d);
      const part = weight > 0 ? weight / (mass + weight) : 0;
      if (row > offsets[i]!) {
        // From the mean of the rows before.
        const root = Math.sqrt(mass * part);
        for (let c = 0; c < d; c++) rows.x[into * d + c] = root * (own[c]! - mean[c]!);
        rows.y[into++] = root * (y[row]! - target);
      }
      for (let c = 0; c < d; c++) mean[c]! += part * (own[c]! - mean[c]!);
      target += part * (y[row]! - target);
      mass += weight;
    }
    means.y[i] = target;
    means.mass[i] = mass;
  }
  return { rows, means };
}

/**
 * Models of differences as models of rows: of what differences say nothing of they have no coefficient, and every task's intercept is its own.
 * @param untold ascending positions of coordinates that are the same in all rows of a task; the constant is the last.
 */
export function withLevels<T extends Omit<MixedModels, "prior">>(
  given: T,
  { x, y, mass }: TaskMeans,
  untold: readonly number[],
): T {
  const m = y.length;
  const d = x.length / m;
  const size = triangle(d);
  const models = given.models.slice();
  const covariances = given.covariances.slice();
  for (let i = 0; i < m; i++) {
    const model = models.subarray(i * d, (i + 1) * d);
    const mean = x.subarray(i * d, (i + 1) * d);
    for (const c of untold) model[c] = 0;
    let level = y[i]!;
    for (let c = 0; c < d - 1; c++) level -= model[c]! * mean[c]!;
    model[d - 1] = level;
    const covariance = covariances.subarray(i * size, (i + 1) * size);
    addLevel(covariance, mean, untold, given.noise[i]! / mass[i]!);
  }
  return { ...given, models, covariances };
}

/** Covariance of w and mean(y) - mean(x) . w, lower triangle, in the place of that of w and what stands last. */
function addLevel(
  covariance: Float64Array,
  mean: Float64Array,
  untold: readonly number[],
  variance: number,
): void {
  const last = mean.length - 1;
  for (let c = 0, at = 0; c <= last; c++) {
    for (let e = 0; e <= c; e++, at++) {
      if (untold.includes(c) || untold.includes(e)) covariance[at] = 0;
    }
  }
  const line = covariance.subarray(triangle(last));
  for (let c = 0, at = 0; c < last; c++) {
    for (let e = 0; e <= c; e++, at++) {
      const value = covariance[at]!;
      line[c]! -= value * mean[e]!;
      if (e < c) line[e]! -= value * mean[c]!;
    }
  }
  let whole = variance;
  for (let c = 0; c < last; c++) whole -= line[c]! * mean[c]!;
  line[last] = whole;
}
