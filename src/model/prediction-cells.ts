/**
 * Predictions as lines of a table that people open.
 * @module
 */
import { forSpreadsheets } from "../data/table/csv-text.js";
import type { Label } from "../data/index.js";
import type { RowPrediction } from "./predict-table.js";

/** The column that says whose a row is, whatever it was called in the table. */
export const TASK_COLUMN = "task";

/** Names of the columns. @param interval whether the ends of intervals are among them. */
export const predictionHeader = (classes: readonly Label[] | null, interval = false): string[] => [
  TASK_COLUMN,
  ...(classes ? ["probability", "label"] : ["prediction"]),
  ...(classes ?? []).map((label) => `probability=${String(label)}`),
  ...(interval ? ["lower", "upper"] : []),
];

/** A row's cells in these columns. */
export function predictionCells(row: RowPrediction): (string | number)[] {
  const { task, prediction, label, probabilities = [], lower, upper } = row;
  const ends = lower === undefined || upper === undefined ? [] : [lower, upper];
  const labelled = label === undefined ? [] : [forSpreadsheets(String(label))];
  return [forSpreadsheets(task), prediction, ...labelled, ...probabilities, ...ends];
}
