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
  /** Why it should rather not be used as it is; undefined of most. */
  readonly doubt?: string;
}

/** What to think of a column of text; the words follow its name. */
export function doubtOf({ numeric, distinct, written, codes }: ColumnSummary): string | undefined {
  if (numeric) return undefined;
  if (written === "dates") return "dates; better days since a fixed day, as numbers";
  if (codes.length > 0) {
    const found = codes.map(({ value }) => `“${value}”`).join(", ");
    return `${found} is unlike its other values; leave such cells empty if that means missing`;
  }
  if (written === "marked") return "numbers with units or marks; write the numbers alone";
  return distinct > MOST_LEVELS ? `text of more than ${MOST_LEVELS} different values` : undefined;
}

/** What the user said of columns, by name: whether it is to be a feature. */
export type Wishes = Readonly<Record<string, boolean>>;

/**
 * Features: numbers as they are, text with few values as categories; text with many values is left
 * out, as is what the user unticked.
 * @param wishes what the user said of a column, by name.
 */
export function featureColumns(
  { columns }: TableSummary,
  task: string,
  target: string,
  wishes: Wishes = {},
): FeatureColumn[] {
  return columns
    .filter(({ name }) => name !== task && name !== target)
    .map((column) => {
      const { name, numeric, distinct } = column;
      const doubt = doubtOf(column);
      return {
        name,
        used: Object.hasOwn(wishes, name) ? wishes[name]! : numeric || distinct <= MOST_LEVELS,
        categorical: !numeric,
        ...(doubt === undefined ? {} : { doubt }),
      };
    });
}

/** Names of columns that are no features by what all rows hold, the user having said nothing of them. */
export const leftOutUnasked = (columns: readonly FeatureColumn[], wishes: Wishes): string[] =>
  columns.filter(({ name, used }) => !used && !Object.hasOwn(wishes, name)).map(({ name }) => name);
