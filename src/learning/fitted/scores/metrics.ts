/**
 * How good predictions are, as the papers measure it. A figure that is not defined (a constant
 * target, no task with two classes) is `null`, never NaN, so that it survives JSON.
 *
 * Rows are grouped by task: `offsets[i]` up to `offsets[i + 1]` are the rows of task i. Where rows have weights, a row of
 * weight s counts as s of them.
 * @module
 */
import { array } from "../../../core/checks.js";

/** A mean over tasks, and how many tasks it could not be taken over. */
export interface TaskMean {
  /** The mean, or null if it is not defined for any task. */
  readonly value: number | null;
  /** Number of tasks in the mean. */
  readonly tasks: number;
  /** Number of tasks left out because the measure is not defined for them. */
  readonly leftOut: number;
}

function checkLengths(predictions: Float64Array, y: Float64Array, offsets?: Uint32Array): void {
  array("predictions", predictions);
  array("y", y);
  if (predictions.length !== y.length) {
    throw new RangeError(
      `predictions: expected ${y.length} entries, one per target, got ${predictions.length}`,
    );
  }
  if (offsets && offsets[offsets.length - 1] !== y.length) {
    throw new RangeError(
      `offsets: expected the last to be ${y.length}, the number of targets, got ${offsets[offsets.length - 1]}`,
    );
  }
}

/** Sums of squares of rows [from, to): of the errors, and of the deviations from the mean. */
function squares(
  predictions: Float64Array,
  y: Float64Array,
  from: number,
  to: number,
  weights: Float64Array | undefined,
): { error: number; deviation: number } {
  let total = 0;
  let mass = 0;
  let constant = true;
  for (let row = from; row < to; row++) {
    const weight = weights?.[row] ?? 1;
    total += weight * y[row]!;
    mass += weight;
    if (y[row] !== y[from]) constant = false;
  }
  const mean = total / mass;
  let error = 0;
  let deviation = 0;
  for (let row = from; row < to; row++) {
    const weight = weights?.[row] ?? 1;
    error += weight * (predictions[row]! - y[row]!) ** 2;
    deviation += weight * (y[row]! - mean) ** 2;
  }
  // The mean of equal numbers may be off by a rounding, and the deviation with it.
  return { error, deviation: constant ? 0 : deviation };
}

/**
 * Normalised mean squared error, pooled: mean squared error over all rows, divided by the
 * population variance of the target vector over all rows. 1 is what the constant mean achieves.
 *
 * @param predictions  Float64Array, shape [N].
 * @param y            Float64Array, shape [N].
 * @param weights      of the rows, Float64Array, shape [N]; default all 1.
 * @returns null if the target is constant (or there is no row).
 * @throws RangeError if the lengths differ.
 */
export function nmse(
  predictions: Float64Array,
  y: Float64Array,
  weights?: Float64Array,
): number | null {
  checkLengths(predictions, y);
  const { error, deviation } = squares(predictions, y, 0, y.length, weights);
  return deviation > 0 ? error / deviation : null;
}

/**
 * Fewest rows of a task for an nMSE of its own. It divides by the variance of the task's few targets, which may be
 * near 0 by chance: of normal targets such a ratio has a variance, so that a mean over tasks settles, from six rows on.
 */
export const LEAST_ROWS = 6;

/** Mean of a measure over the tasks for which it is defined. */
function meanOverTasks(
  offsets: Uint32Array,
  measure: (from: number, to: number) => number | null,
): TaskMean {
  let sum = 0;
  let tasks = 0;
  for (let i = 0; i + 1 < offsets.length; i++) {
    const value = measure(offsets[i]!, offsets[i + 1]!);
    if (value === null) continue;
    sum += value;
    tasks++;
  }
  return {
    value: tasks > 0 ? sum / tasks : null,
    tasks,
    leftOut: Math.max(0, offsets.length - 1 - tasks),
  };
}

/**
 * Mean over tasks of each task's own normalised mean squared error (its mean squared error over
 * the population variance of its own targets). Tasks with a constant target, or with fewer than
 * six rows, are left out.
 *
 * @param predictions  Float64Array, shape [N].
 * @param y            Float64Array, shape [N].
 * @param offsets      Uint32Array, shape [m + 1]: task i has rows offsets[i] to offsets[i + 1].
 * @param weights      of the rows, Float64Array, shape [N]; default all 1.
 * @throws RangeError if the lengths do not fit together.
 */
export function nmsePerTask(
  predictions: Float64Array,
  y: Float64Array,
  offsets: Uint32Array,
  weights?: Float64Array,
): TaskMean {
  checkLengths(predictions, y, offsets);
  return meanOverTasks(offsets, (from, to) => {
    if (to - from < LEAST_ROWS) return null;
    const { error, deviation } = squares(predictions, y, from, to, weights);
    return deviation > 0 ? error / deviation : null;
  });
}

/**
 * Area under the ROC curve: the probability that a positive scores above a negative, a tie
 * counting half (Mann and Whitney).
 *
 * @param scores  Float64Array, shape [n]; larger means more likely positive.
 * @param y       Float64Array, shape [n]; positive where y > 0.
 * @param weights Float64Array, shape [n]; default all 1: a pair counts as the product of its rows' weights.
 * @returns null if there is one class only.
 * @throws RangeError for arrays of different lengths, or a score that is NaN.
 */
export function auc(scores: Float64Array, y: Float64Array, weights?: Float64Array): number | null {
  checkLengths(scores, y);
  const order = Uint32Array.from({ length: y.length }, (_, row) => row).sort(
    (a, b) => scores[a]! - scores[b]!,
  );
  let wins = 0; // pairs (negative, positive) in the right order, ties half
  let negatives = 0;
  let positives = 0;
  for (let from = 0; from < order.length;) {
    let tiedPositives = 0;
    let tiedNegatives = 0;
    let to = from;
    for (; to < order.length && scores[order[to]!] === scores[order[from]!]; to++) {
      const weight = weights?.[order[to]!] ?? 1;
      if (y[order[to]!]! > 0) tiedPositives += weight;
      else tiedNegatives += weight;
    }
    if (to === from) throw new RangeError(`scores: expected numbers, entry ${order[from]} is NaN`);
    wins += tiedPositives * (negatives + tiedNegatives / 2);
    positives += tiedPositives;
    negatives += tiedNegatives;
    from = to;
  }
  return positives > 0 && negatives > 0 ? wins / positives / negatives : null;
}

/**
 * aAUC: mean over tasks of the area under each task's ROC curve. Tasks with one class are left
 * out and counted.
 *
 * @param scores   Float64Array, shape [N].
 * @param y        Float64Array, shape [N]; positive where y > 0.
 * @param offsets  Uint32Array, shape [m + 1]: task i has rows offsets[i] to offsets[i + 1].
 * @param weights  of the rows, Float64Array, shape [N]; default all 1.
 * @throws RangeError if the lengths do not fit together, or a score is NaN.
 */
export function aucPerTask(
  scores: Float64Array,
  y: Float64Array,
  offsets: Uint32Array,
  weights?: Float64Array,
): TaskMean {
  checkLengths(scores, y, offsets);
  return meanOverTasks(offsets, (from, to) =>
    auc(scores.subarray(from, to), y.subarray(from, to), weights?.subarray(from, to)),
  );
}

/**
 * Mean over tasks of the fraction of rows whose predicted class is the true one.
 *
 * @param predicted  Float64Array, shape [N]: predicted classes, coded as y is.
 * @param y          Float64Array, shape [N].
 * @param offsets    Uint32Array, shape [m + 1]: task i has rows offsets[i] to offsets[i + 1].
 * @param weights    of the rows, Float64Array, shape [N]; default all 1.
 * @throws RangeError if the lengths do not fit together.
 */
export function accuracyPerTask(
  predicted: Float64Array,
  y: Float64Array,
  offsets: Uint32Array,
  weights?: Float64Array,
): TaskMean {
  checkLengths(predicted, y, offsets);
  return meanOverTasks(offsets, (from, to) => {
    let right = 0;
    let mass = 0;
    for (let row = from; row < to; row++) {
      const weight = weights?.[row] ?? 1;
      if (predicted[row] === y[row]) right += weight;
      mass += weight;
    }
    return mass > 0 ? right / mass : null;
  });
}
