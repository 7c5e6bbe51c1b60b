/**
 * A first guess at which column of a table is what; the user has the last word.
 * @module
 */
import type { LossName } from "../../../src/learning/index.js";
import type { ColumnSummary, TableSummary } from "../work/messages.js";

const TASK_NAME =
  /^(task|school|hospital|clinic|site|client|user|group|owner|store|city|id)(_?id)?$/i;
const TARGET_NAME = /^(y|target|label|score|outcome|class|value|price)$/i;

/** A column of categories has at most this many. */
const MOST_LEVELS = 30;
/** Numbers with more values than this are amounts, not classes. */
const MOST_CLASSES = 2;

/** Whether a column could say which task a row belongs to. */
function couldBeTask({ distinct, missing }: ColumnSummary, rows: number): boolean {
  return missing === 0 && distinct >= 2 && distinct <= rows / 2;
}

/** The column that looks like the task: by its name, else the first with text, else with few values. */
export function guessTask({ columns, rows }: TableSummary): string {
  const usable = columns.filter((column) => couldBeTask(column, rows));
  return (
    usable.find(({ name }) => TASK_NAME.test(name)) ??
    usable.find(({ numeric }) => !numeric) ??
    usable[0] ??
    columns[0]!
  ).name;
}

/** The column that looks like the target: by its name, else the last of amounts, else the last. */
export function guessTarget({ columns }: TableSummary, task: string): string {
  const others = columns.filter(({ name }) => name !== task);
  const named = others.find(({ name }) => TARGET_NAME.test(name));
  const amount = others.findLast(({ numeric, distinct }) => numeric && distinct > MOST_CLASSES);
  return (named ?? amount ?? others.at(-1) ?? columns[0]!).name;
}

/** Two values are a yes or no, text a class, all else an amount. */
export function guessLoss({ numeric, distinct }: ColumnSummary): LossName {
  if (distinct === MOST_CLASSES) return "logistic";
  return numeric ? "squared" : "softmax";
}

/** A column that may be a feature. */
export interface FeatureColumn {
  readonly name: string;
  /** Whether it is one. */
  readonly used: boolean;
  /** Text, which becomes one yes or no for each of its values. */
  readonly categorical: boolean;
}

/**
 * Features: numbers as they are, text with few values as categories; text with many values is left
 * out, as is what the user unticked.
 * @param wishes what the user said of a column, by name.
 */
export function featureColumns(
  { columns }: TableSummary,
  task: string,
  target: string,
  wishes: Readonly<Record<string, boolean>> = {},
): FeatureColumn[] {
  return columns
    .filter(({ name }) => name !== task && name !== target)
    .map(({ name, numeric, distinct }) => ({
      name,
      used: wishes[name] ?? (numeric || distinct <= MOST_LEVELS),
      categorical: !numeric,
    }));
}
