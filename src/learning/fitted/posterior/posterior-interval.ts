/**
 * Where a new row's target lies, from the posterior of its task's model, or, for a task that was never seen, from
 * what all tasks have in common.
 *
 * The predictive distribution of a row x is a mixture of normals: the posterior of x . w, as wide as it is under each of
 * the variances that a row's noise may have, each weighted by what the task's rows said for it. For a task never seen it is of the prior,
 * N(a, k P), P near C + error of a, over the public weights of its width k and of the noise.
 * @module
 */
import { heldInUnits, UNIT_SCALE } from "../../../data/index.js";
import { limitsOf, limitsOfTask, withinLimits } from "../feature-limits.js";
import { flatRows, type DenseRows } from "../flat-rows.js";
import type { PredictionInterval } from "../unseen/further-predictions.js";
import type { FittedModelState } from "../model-state.js";
import { mixtureQuantile } from "./normal-mixture.js";

/** What intervals are made of. */
interface Predicting extends Required<
  Pick<FittedModelState, "components" | "loss" | "taskNames" | "preprocessing">
> {
  readonly d: number;
  predict(task: string, rows: Float64Array): Float64Array;
  readonly predictNew?: ((rows: Float64Array) => Float64Array) | undefined;
}

/** Whether the model predicts numbers and knows posterior covariances of its tasks' models, intercept included. */
export const hasIntervals = ({
  components,
  loss,
}: Pick<Predicting, "components" | "loss">): boolean =>
  loss === "squared" && components["noiseLevels"] !== undefined;

/** Weights of a mixture, with the part of x^T P x and the noise that each component's variance has. */
export interface Predictive {
  readonly weights: Float64Array;
  readonly parts: Float64Array;
  readonly noises: Float64Array;
  /** P, [d + 1, d + 1]. */
  readonly covariance: (c: number, e: number) => number;
}

/**
 * Intervals that hold a new row's target with about the probability `level`.
 *
 * @param task null for one that the model was not fitted on.
 * @param given n rows of d numbers, prepared like the training rows.
 * @throws DataError for a name that the model does not know, or a row that does not fit.
 */
export function posteriorInterval(
  model: Predicting,
  task: string | null,
  given: DenseRows,
  level: number,
): PredictionInterval {
  if (!(level > 0 && level < 1)) {
    throw new RangeError(`level: expected 0 < level < 1, got ${level}`);
  }
  const rows = flatRows(given, model.d);
  const middle = task === null ? model.predictNew!(rows) : model.predict(task, rows);
  const place = task === null ? -1 : model.taskNames.indexOf(task);
  const of = task === null ? ofNewTask(model) : predictiveOfTask(model, place);
  const limits = task === null ? limitsOf(model.components) : limitsOfTask(model.components, place);
  const { d } = model;
  const scale = model.preprocessing?.targetScale ?? UNIT_SCALE;
  const held = withinLimits(limits, rows);
  const means = new Float64Array(of.weights.length);
  const quantile = (1 + level) / 2;
  // The components have one mean, so the distribution is symmetric around it.
  const reach = middle.map((_, row) => {
    const x = Float64Array.of(...held.subarray(row * d, (row + 1) * d), 1);
    let own = 0;
    for (let c = 0; c <= d; c++)
      for (let e = 0; e <= d; e++) own += of.covariance(c, e) * x[c]! * x[e]!;
    const variances = of.noises.map((noise, k) => noise + of.parts[k]! * Math.max(own, 0));
    return scale.halfWidth * mixtureQuantile({ weights: of.weights, means, variances }, quantile);
  });
  const end = (value: number) => heldInUnits(scale, value);
  return {
    lower: middle.map((value, k) => end(value - reach[k]!)),
    upper: middle.map((value, k) => end(value + reach[k]!)),
  };
}

/** What is known of task i's model and of the noise of its rows. */
export function predictiveOfTask(
  { components, d }: Pick<Predicting, "components" | "d">,
  i: number,
): Predictive {
  const count = ((d + 1) * (d + 2)) / 2;
  const triangle = components["posteriorCovariances"]!.data.subarray(i * count, (i + 1) * count);
  const noises = components["noiseLevels"]!.data;
  const K = noises.length;
  return {
    weights: components["noiseWeights"]!.data.subarray(i * K, (i + 1) * K),
    // Models of older versions do not have them.
    parts:
      components["noiseParts"]?.data.subarray(i * K, (i + 1) * K) ?? new Float64Array(K).fill(1),
    noises,
    covariance: (c, e) => triangle[c > e ? (c * (c + 1)) / 2 + e : (e * (e + 1)) / 2 + c]!,
  };
}

function ofNewTask({ components, d }: Predicting): Predictive {
  const own = components["newTaskCovariance"]?.data;
  const [tasks, release] = [components["covariance"]!.data, components["releaseCovariance"]!.data];
  const [weights, parts, noises] = ["newTaskWeights", "newTaskSpreads", "newTaskNoises"].map(
    (name) => components[name]!.data,
  ) as [Float64Array, Float64Array, Float64Array];
  // Models of older versions, and those with noise for records, have none of their own.
  const covariance = (c: number, e: number) => {
    const at = c * (d + 1) + e;
    return own ? own[at]! : tasks[at]! + release[at]!;
  };
  return { weights, parts, noises, covariance };
}
