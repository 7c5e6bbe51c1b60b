/**
 * Coefficients as a table for other programs.
 * @module
 */
import { csvText, forSpreadsheets } from "../../data/table/csv-text.js";
import type { ModelSummary } from "../../learning/index.js";
import type { TaskSummary } from "../../learning/fitted/summary/task-summary.js";

/** A figure with all its digits; empty where it is not known. */
const figure = (value: number | null | undefined) => value ?? "";

type Row = readonly (string | number)[];

const textOf = (header: readonly string[], rows: readonly Row[]) =>
  [...csvText(header, rows)].join("");

/** CSV with a row for each coefficient that all tasks have in common. */
export function coefficientText({ coefficients }: ModelSummary): string {
  return textOf(
    ["name", "estimate", "standardError", "betweenTasks"],
    coefficients.map(({ name, estimate, standardError, betweenTasks }) => [
      forSpreadsheets(name),
      estimate,
      figure(standardError),
      figure(betweenTasks),
    ]),
  );
}

/** The same of one task's own model: each coefficient lies between `from` and `to` with probability .95. */
export function taskCoefficientText({ coefficients }: TaskSummary): string {
  return textOf(
    ["name", "estimate", "from", "to"],
    coefficients.map(({ name, estimate, interval }) => [
      forSpreadsheets(name),
      estimate,
      figure(interval?.[0]),
      figure(interval?.[1]),
    ]),
  );
}
