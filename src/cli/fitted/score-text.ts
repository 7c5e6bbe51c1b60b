/**
 * Scores in lines for people.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { LEAST_ROWS } from "../../learning/fitted/scores/metrics.js";
import type { Scores } from "../../learning/index.js";
import { short } from "../words/short.js";
import type { TableScores } from "./score-table.js";

/** Metrics in one line. */
export function scoreLine({
  nmse,
  nmsePerTask,
  auc,
  accuracy,
  logLoss,
  tasksLeftOut,
}: Scores): string {
  const parts =
    nmse === undefined
      ? [
          ...(auc === undefined ? [] : [`aAUC ${short(auc)}`]),
          `accuracy ${short(accuracy)}`,
          `log-loss ${short(logLoss)}`,
        ]
      : [`nMSE ${short(nmse)}`, `per task ${short(nmsePerTask)}`];
  if (tasksLeftOut === 0) return parts.join(", ");
  const left = tasksLeftOut === 1 ? "1 task" : `${tasksLeftOut} tasks`;
  const why =
    nmse === undefined
      ? "with one class only"
      : `with fewer than ${LEAST_ROWS} rows or a constant target`;
  return `${parts.join(", ")} (${left} ${why} left out of the mean per task)`;
}

/** Why there is no nMSE. */
export const NO_NMSE =
  "nMSE is not defined: the target is the same in all of these rows, or varies by so little that its square is 0";

/** From here on an nMSE tells of outliers more than of the model. */
const FAR = 10;

const OUTLIERS =
  "; far above 1 it is mostly made by few rows with values far from all others, or in other units: look for them, or declare " +
  "ranges (--ranges), which take them at their ends";

const WORSE =
  "; above 1, as here, that mean would have been better: compare other methods (evaluate), or take more rows a task or fewer columns";

const NO_BETTER =
  "; above it, as here, these shares tell as much: compare other methods (evaluate), or take more rows a task or fewer columns";

/** What whoever sees no features reaches on the same rows. */
function guessText({ logLoss, guessing }: Scores): string {
  const { logLoss: shares = null, accuracy = null } = guessing ?? {};
  if (shares === null) return "log-loss: 0 is perfect";
  const worse = (logLoss ?? 0) > shares ? NO_BETTER : "";
  return (
    `accuracy: ${short(accuracy)} is always saying the most frequent label of these rows; ` +
    `log-loss: 0 is perfect, ${short(shares)} is telling each label's share in them${worse}`
  );
}

/** What is perfect and what is nothing, for the metrics of a score. */
export function scaleOf(scores: Scores): string {
  const { nmse, auc } = scores;
  if (nmse === null) return NO_NMSE;
  if (nmse !== undefined) {
    const above = nmse > FAR ? OUTLIERS : nmse > 1 ? WORSE : "";
    return `nMSE: 0 is perfect, 1 is no better than the mean of all rows${above}`;
  }
  return (
    guessText(scores) +
    (typeof auc === "number" ? "; aAUC, a mean over tasks: 1 is perfect, 0.5 is chance" : "")
  );
}

/** Scores of rows that were held out, or that came later. */
export function scoreTexts({ test, newTasks, rowsNotScored, intervals }: TableScores): string[] {
  return [
    ...(test ? [`test:  ${scoreLine(test)}`] : []),
    ...(newTasks
      ? [`new tasks (${newTasks.tasks}, ${counted(newTasks.rows, "row")}): ${scoreLine(newTasks)}`]
      : []),
    ...(intervals
      ? [
          `intervals of ${short(100 * intervals.level)} % hold the target in ${short(100 * intervals.coverage)} % of these rows`,
        ]
      : []),
    ...(rowsNotScored > 0
      ? [
          `${counted(rowsNotScored, "row")} not scored: of a task without a model, or with a label that training did not have`,
        ]
      : []),
  ];
}
