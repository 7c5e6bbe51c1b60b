/**
 * What `fit` found, as the document that `--json` prints and from which the text is made.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../../learning/index.js";
import { remarksOn } from "../fitted/remarks.js";
import { scoreTable } from "../fitted/score-table.js";

/**
 * The document that `--json` prints.
 * @param seconds null where the time would tell how many runs a private selection made.
 */
export function fitDocument(
  model: FittedModel,
  train: TaskSet,
  test: TaskSet | undefined,
  seconds: number | null,
  droppedRows = 0,
) {
  const held = test && scoreTable(model, test, "the test rows");
  const summary = model.summary();
  return {
    method: model.method,
    ...(model.choice ? { choice: model.choice } : {}),
    loss: model.loss,
    tasks: model.m,
    features: model.d,
    samples: train.taskSizes.reduce((sum, n) => sum + n, 0),
    droppedRows, // for want of a target
    rounds: model.rounds,
    ...model.figures,
    // Rows that were read once are not there to be scored.
    train: train.standFor ? null : model.score(train),
    ...(held?.test ? { test: held.test } : {}),
    ...(held?.newTasks ? { newTasks: held.newTasks } : {}),
    ...(held?.intervals ? { intervals: held.intervals } : {}),
    ...(held && held.rowsNotScored > 0 ? { testRowsNotScored: held.rowsNotScored } : {}),
    // Means over tasks are for `summary`.
    ...(summary.fixedEffects ? { coefficients: summary } : {}),
    remarks: remarksOn(model, train),
    certificate: model.certificate,
    guarantee: model.guarantee,
    ...(model.protection.length > 0 ? { protection: model.protection } : {}),
    ...(model.recordGuarantee ? { recordGuarantee: model.recordGuarantee } : {}),
    ...(model.threads ? { threads: model.threads } : {}),
    ...(seconds === null ? {} : { seconds }),
  };
}
