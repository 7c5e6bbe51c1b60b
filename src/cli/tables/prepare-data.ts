/**
 * From a raw table to tasks, for every command that fits: text becomes categories, what is missing is filled
 * in, the loss follows the target, and all of that is said.
 * @module
 */
import { DataError } from "../../core/index.js";
import {
  splitEncoded,
  TableEncoding,
  type EncodedTable,
  type Table,
  type TableSchema,
  type TaskSet,
} from "../../data/index.js";
import { codesOf, withoutCodes } from "../../data/schema/missing-codes.js";
import type { LossName } from "../../learning/index.js";
import { alikeTasks } from "./words/alike-tasks.js";
import type { DataValues } from "./data-options.js";
import { openTable, schemaOf, SPARSE_ROLES } from "./read-data.js";
import { columnQuestions } from "./words/question-columns.js";
import { isDoubtful, questionsOf } from "./words/question-target.js";
import { singleRowTasks } from "./words/single-row-tasks.js";
import { sumTasks } from "./words/sum-tasks.js";
import { tableNotes } from "./words/table-notes.js";
import { HELD, unexpectedLines, type UnexpectedWords } from "./words/unexpected-text.js";

/** Tasks, how they were made, and with which loss they are to be fitted. */
export interface PreparedData extends Omit<EncodedTable, "rows"> {
  readonly encoding: TableEncoding;
  readonly loss: LossName;
  /** For people: what was assumed of the table. */
  readonly notes: readonly string[];
  /** What a person should look at first: tasks that may be one, and the target, unless the loss was asked for. */
  readonly questions: readonly string[];
  /** Whether nobody asked for the loss, and the target is so unlikely to be meant that the questions come first. */
  readonly isDoubtful: boolean;
  /** Decisions by all tasks' rows that the task set does not know of: not charged. */
  readonly notCharged: readonly string[];
  /** The rows that were held out; undefined where none were asked for. */
  readonly held: TaskSet | undefined;
  /** The tasks of the whole table with NaN in the gaps, for whoever splits them later. */
  readonly withGaps: () => TaskSet;
}

/** A stranger whose range is too narrow for a skewed column would else never know why errors are large. */
const UNEXPECTED: UnexpectedWords = {
  clipped: `${HELD}; a wider range (--ranges) would keep what they tell`,
  unseen: "missing or of no declared level, 0 in its columns",
};

/** Which rows to hold out. */
export interface HoldOut {
  readonly testFraction: number;
  readonly seed: string;
}

/**
 * Prepares a table.
 * @param asked the loss; undefined or "auto": by the target.
 * @param holdOut rows that nothing is learned from but the columns' kinds, levels and labels.
 */
export async function prepareData(
  values: DataValues,
  asked: LossName | "auto" | undefined,
  holdOut?: HoldOut,
  table?: Table,
): Promise<PreparedData> {
  const given = asked === "auto" ? undefined : asked;
  const schema = await schemaOf(values, given === "squared" ? "number" : "auto");
  const opened = table ?? (await openTable(values.data, values));
  const read = withoutCodes(opened, codesOf(opened, schema));
  if (read.sparse && schema.task === SPARSE_ROLES.task && !read.has(schema.task)) {
    throw new DataError(
      `${read.name}: its rows name no tasks; write qid:NUMBER after the target of each.`,
    );
  }
  const fitted = TableEncoding.fit(read, schema);
  const parts = holdOut && splitEncoded(fitted, read, { task: schema.task, ...holdOut });
  const { tasks, dropped, unexpected } = parts ?? fitted.apply(read);
  const declared = declaredLoss(schema);
  const loss = given ?? declared ?? lossOf(tasks, read.name);
  const byData = given === undefined && declared === undefined;
  return {
    tasks: parts?.train ?? tasks,
    held: parts?.test,
    encoding: parts?.encoding ?? fitted,
    dropped,
    unexpected,
    loss,
    withGaps: () => fitted.leavingGaps().apply(read).tasks,
    notes: [
      ...tableNotes(read, schema, fitted, { dropped, kept: tasks.m }),
      ...unexpectedLines(unexpected, UNEXPECTED),
      ...(given === undefined ? [`loss ${loss}, from the target`] : []),
    ],
    questions: [
      ...alikeTasks(tasks.names),
      ...singleRowTasks(tasks, schema.task),
      ...sumTasks(tasks),
      ...columnQuestions(read, schema, fitted),
      ...(byData ? questionsOf(tasks, loss) : []),
    ],
    isDoubtful: byData && isDoubtful(parts?.train ?? tasks),
    notCharged: byData ? ["the loss, chosen by the values of the target over all tasks"] : [],
  };
}

/** The loss that a declared target asks for; undefined where the data are to say. */
function declaredLoss({ schema, target }: TableSchema): LossName | undefined {
  const declared = schema?.target;
  if (declared?.column !== target) return undefined;
  if (declared?.kind === "number") return "squared";
  if (!declared?.levels) return undefined;
  return declared.levels.length === 2 ? "logistic" : "softmax";
}

/** Two values of any kind: logistic; several labels: softmax; numbers: squared. */
function lossOf({ y, targetLevels, targetName }: TaskSet, table: string): LossName {
  const values = new Set(y).size;
  if (values === 2) return "logistic";
  if (targetLevels === undefined) return "squared";
  if (values > 2) return "softmax";
  throw new DataError(
    `${table}: the target ${JSON.stringify(targetName)} holds one label only; a classifier needs two. Is it the right ` +
      "column (--target)?",
  );
}
