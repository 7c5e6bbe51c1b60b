/**
 * An intercept as one more feature that is always 1, for models whose kernels have none.
 * @module
 */
import { withSparseColumn, type TaskSet } from "../../data/index.js";

/** The tasks with a last column of ones, so that the last weights (one per output) are intercepts. */
export function withConstantColumn(tasks: TaskSet): TaskSet {
  let name = "(intercept)";
  while (tasks.featureNames.includes(name)) name += "'";
  const { sparse, d } = tasks;
  const x = sparse ? withSparseColumn(sparse, d, 1) : withColumn(tasks);
  return tasks.withFeatures(x, [...tasks.featureNames, name]);
}

/** X with a last column of ones. */
function withColumn(tasks: TaskSet): Float64Array {
  const { d, size } = tasks;
  const x = new Float64Array(size * (d + 1)).fill(1);
  for (let row = 0; row < size; row++) {
    x.set(tasks.x.subarray(row * d, (row + 1) * d), row * (d + 1));
  }
  return x;
}

/** The parameters [m, d + 1] of weights [m, d] and intercepts [m]: undone by `splitIntercepts`. */
export function joinIntercepts(weights: Float64Array, intercepts: Float64Array): Float64Array {
  const m = intercepts.length;
  const d = weights.length / m;
  const parameters = new Float64Array(m * (d + 1));
  for (let i = 0; i < m; i++) {
    parameters.set(weights.subarray(i * d, (i + 1) * d), i * (d + 1));
    parameters[i * (d + 1) + d] = intercepts[i]!;
  }
  return parameters;
}

/** Splits parameters [m, shared + own] into weights [m, shared] and intercepts [m, own]. */
export function splitIntercepts(
  parameters: Float64Array,
  m: number,
  own: number,
): { weights: Float64Array; intercepts: Float64Array | null } {
  if (own === 0) return { weights: parameters, intercepts: null };
  const width = parameters.length / m;
  const weights = new Float64Array(m * (width - own));
  const intercepts = new Float64Array(m * own);
  for (let i = 0; i < m; i++) {
    const row = parameters.subarray(i * width, (i + 1) * width);
    weights.set(row.subarray(0, width - own), i * (width - own));
    intercepts.set(row.subarray(width - own), i * own);
  }
  return { weights, intercepts };
}
