/**
 * Where a new row's target lies, from the posterior of its task's model.
 * @module
 */
import { DataError } from "../../core/index.js";
import { normalCdf } from "../../privacy/accounting/special/erfc.js";
import type { FittedModel } from "./fitted-model.js";
import type { PredictionInterval } from "./further-predictions.js";

/** Whether the model predicts numbers and knows posterior covariances of its tasks' models, intercept included. */
export const hasIntervals = ({
  components,
  loss,
}: Pick<FittedModel, "components" | "loss">): boolean =>
  loss === "squared" && components?.["posteriorCovariances"] !== undefined;

/**
 * Intervals that hold a new row's target with about the probability `level`: the posterior predictive
 * distribution, taken for normal.
 *
 * @param rows Float64Array, shape [n, d], prepared like the training rows.
 * @throws DataError for a task that the model was not fitted on.
 */
export function posteriorInterval(
  model: FittedModel,
  task: string | null,
  rows: Float64Array,
  level: number,
): PredictionInterval {
  if (!(level > 0 && level < 1)) {
    throw new RangeError(`level: expected 0 < level < 1, got ${level}`);
  }
  if (task === null) {
    throw new DataError(
      "intervals for a task that the model was not fitted on are not given: fit it with the others",
    );
  }
  const middle = model.predict(task, rows);
  const i = model.taskNames.indexOf(task);
  const { d } = model;
  const triangle = ((d + 1) * (d + 2)) / 2;
  const covariance = model.components["posteriorCovariances"]!.data.subarray(
    i * triangle,
    (i + 1) * triangle,
  );
  const noise = model.components["taskNoise"]!.data[i]!;
  const width =
    normalQuantile((1 + level) / 2) * (model.preprocessing?.targetScale?.halfWidth ?? 1);
  const reach = middle.map((_, row) => {
    const x = Float64Array.of(...rows.subarray(row * d, (row + 1) * d), 1);
    let variance = noise;
    let at = 0;
    for (let c = 0; c <= d; c++) {
      for (let e = 0; e <= c; e++) {
        variance += (c === e ? 1 : 2) * covariance[at++]! * x[c]! * x[e]!;
      }
    }
    return width * Math.sqrt(Math.max(variance, 0));
  });
  return {
    lower: middle.map((value, k) => value - reach[k]!),
    upper: middle.map((value, k) => value + reach[k]!),
  };
}

/** The value below which a standard normal number lies with probability p in [1/2, 1). */
function normalQuantile(p: number): number {
  let [low, high] = [0, 40];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < p) low = middle;
    else high = middle;
  }
  return high;
}
