/**
 * The metrics that go with a loss, over all tasks.
 * @module
 */
import { largestOutputs, lossAndSlopes } from "../../models/output-losses.js";
import type { LossName } from "../../tasks/losses.js";
import { scoreGuessing, type GuessingScores } from "./guessing.js";
import { accuracyPerTask, aucPerTask, nmse, nmsePerTask } from "./metrics.js";

/** Metrics of a regression, or of a classifier; null where a metric is not defined. */
export interface Scores {
  /** Pooled normalised mean squared error. */
  readonly nmse?: number | null;
  /** Mean over tasks of each task's own, of those with six rows or more; null where no task has as many. */
  readonly nmsePerTask?: number | null;
  /** aAUC: mean over tasks of the area under the ROC curve. */
  readonly auc?: number | null;
  /** Mean over tasks of the fraction of right labels. */
  readonly accuracy?: number | null;
  /** Mean over rows of -ln p, p the predicted probability of the row's own label. */
  readonly logLoss?: number | null;
  /** Of a classifier: what accuracy and log-loss are without looking at any feature, as 1 is of an nMSE. */
  readonly guessing?: GuessingScores;
  /** Tasks left out of a mean over tasks because one class, a constant target, or fewer than six rows for an nMSE are left. */
  readonly tasksLeftOut: number;
}

/** nMSE pooled and per task, from predictions and targets [N]. @param weights of the rows, [N], default all 1. */
export function scoreRegression(
  predictions: Float64Array,
  y: Float64Array,
  offsets: Uint32Array,
  weights?: Float64Array,
): Scores {
  const perTask = nmsePerTask(predictions, y, offsets, weights);
  return {
    nmse: nmse(predictions, y, weights),
    nmsePerTask: perTask.value,
    tasksLeftOut: perTask.leftOut,
  };
}

/** aAUC, accuracy and log-loss, from margins [N] and labels in {-1, +1}; weights as in `scoreRegression`. */
export function scoreBinary(
  margins: Float64Array,
  y: Float64Array,
  offsets: Uint32Array,
  weights?: Float64Array,
): Scores {
  const auc = aucPerTask(margins, y, offsets, weights);
  const labels = margins.map((margin) => (margin > 0 ? 1 : -1));
  return {
    auc: auc.value,
    accuracy: accuracyPerTask(labels, y, offsets, weights).value,
    logLoss: logLoss("logistic", margins, y, weights),
    guessing: scoreGuessing(y, offsets, weights),
    tasksLeftOut: auc.leftOut,
  };
}

/** Accuracy and log-loss, from logits [N, C] and classes 0..C-1 [N]; the mean is over all tasks. */
export function scoreClasses(
  logits: Float64Array,
  y: Float64Array,
  offsets: Uint32Array,
  weights?: Float64Array,
): Scores {
  const predicted = largestOutputs(logits, logits.length / y.length);
  const accuracy = accuracyPerTask(predicted, y, offsets, weights);
  return {
    accuracy: accuracy.value,
    logLoss: logLoss("softmax", logits, y, weights),
    guessing: scoreGuessing(y, offsets, weights),
    tasksLeftOut: accuracy.leftOut,
  };
}

function logLoss(
  loss: LossName,
  outputs: Float64Array,
  y: Float64Array,
  weights: Float64Array | undefined,
): number | null {
  if (y.length === 0) return null;
  const mass = weights?.reduce((sum, weight) => sum + weight, 0) ?? y.length;
  const sum = lossAndSlopes(loss, outputs.slice(), y, outputs.length / y.length, weights);
  return mass > 0 ? sum / mass : null;
}
