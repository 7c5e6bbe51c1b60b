/**
 * Which rows of a table are for training and which for testing: within every task, by whole tasks, or by time.
 * @module
 */
import { requireTable } from "../table/require-table.js";
import { object, oneOf } from "../../core/checks.js";
import { DataError } from "../../core/errors.js";
import { filledRows } from "../table/blank-rows.js";
import { groupRows, type TaskSource } from "../table/groups.js";
import { seededUniforms, shuffledRows, type Seed } from "./shuffle.js";
import { checkTrainFraction, trainingRows } from "./split.js";
import { isNumberColumn, type Table } from "../table/table.js";

/** How to split. */
export interface TableSplit {
  /** Column with each row's task; or the one task of all rows. */
  readonly task: TaskSource;
  /** Share of the rows, or tasks, to test on, in (0, 1). */
  readonly testFraction: number;
  /**
   * "rows": at random within every task, as `TaskSet.split` does for the same seed. "tasks": whole tasks, at
   * random. "time": of every task the last rows by `time`.
   */
  readonly by: "rows" | "tasks" | "time";
  /** The same seed gives the same split on every host; "time" does not read it. */
  readonly seed: Seed;
  /** "time": the column that orders a task's rows: numbers, or dates as YYYY-MM-DD… */
  readonly time?: string | undefined;
}

/** Two tables, each with its rows in their old order. */
export interface SplitTable {
  /** Rows to train on. */
  readonly train: Table;
  /** Rows to test on. */
  readonly test: Table;
}

/**
 * Splits a table into training and test rows. By "rows" and by "time" a task with two rows or more has at least one on each side,
 * and a task's only row trains. Blank rows, as spreadsheets leave them behind, are on neither side.
 *
 * @returns two tables of the same columns; the same ones for the same seed.
 * @throws TypeError for what is no table; DataError if a side would be empty, or a row has no time.
 * @example splitTable(table, { task: "school", testFraction: 0.3, by: "rows", seed: "a" }).train
 */
export function splitTable(table: Table, split: TableSplit): SplitTable {
  requireTable(table);
  object("split", split);
  oneOf("by", split.by, ["rows", "tasks", "time"]);
  const trainFraction = trainShare(split.testFraction);
  const filled = filledRows(table);
  const groups = groupRows(table, split.task, filled);
  const { names, offsets, rows } = groups;
  const sizes = names.map((_, i) => offsets[i + 1]! - offsets[i]!);
  const train = new Uint8Array(table.rows);
  const markTask = (i: number, marks: (at: number) => boolean) => {
    for (let at = 0; at < sizes[i]!; at++) train[rows[offsets[i]! + at]!] = marks(at) ? 1 : 0;
  };
  if (split.by === "tasks") {
    const chosen = trainingTasks(names.length, trainFraction, split.seed);
    names.forEach((_, i) => markTask(i, () => chosen.has(i)));
  } else if (split.by === "time") {
    const before = timesOf(table, split.time, filled);
    names.forEach((_, i) => {
      const own = Array.from(rows.subarray(offsets[i]!, offsets[i + 1]!));
      // Rows of one time keep their order.
      const order = own.map((_, at) => at).sort((a, b) => before(own[a]!, own[b]!) || a - b);
      const count = countToTrain(own.length, trainFraction);
      const first = new Set(order.slice(0, count));
      markTask(i, (at) => first.has(at));
    });
  } else {
    names.forEach((name, i) => {
      const marks = trainingRows(name, sizes[i]!, { trainFraction, seed: split.seed });
      markTask(i, (at) => marks[at] === 1);
    });
  }
  const sides = { train: side(filled, train, 1), test: side(filled, train, 0) };
  if (sides.test.length === 0) throw new DataError(`${table.name}: ${noTestRows(split)}`);
  return { train: table.select(sides.train), test: table.select(sides.test) };
}

/**
 * What a share of test rows leaves to train on; in decimals, so that 0.9 leaves 0.1.
 * @throws RangeError if it is not in (0, 1).
 */
export function trainShare(testFraction: number): number {
  if (!(testFraction > 0 && testFraction < 1)) {
    throw new RangeError(`testFraction: expected 0 < testFraction < 1, got ${testFraction}`);
  }
  const share = Number((1 - testFraction).toPrecision(12));
  checkTrainFraction(share);
  return share;
}

function countToTrain(n: number, trainFraction: number): number {
  return Math.max(1, Math.min(n - 1, Math.round(trainFraction * n)));
}

function trainingTasks(m: number, trainFraction: number, seed: Seed): Set<number> {
  const order = shuffledRows(m, seededUniforms(seed, "split", "tasks"));
  return new Set(order.subarray(0, countToTrain(m, trainFraction)));
}

/** Rows of one side; blank ones are on neither. */
const side = (filled: Uint8Array, train: Uint8Array, mark: 0 | 1): number[] =>
  Array.from(train.keys()).filter((row) => filled[row] === 1 && train[row] === mark);

/** Why there are none to test on; some to train on there always are. */
const noTestRows = ({ by }: TableSplit) =>
  by === "tasks"
    ? "the split leaves no test rows: there is one task only. Hold out some of its rows (split --by rows)."
    : "the split leaves no test rows: every task has one row, which is to train on. Hold out whole tasks " +
      "(split --by tasks), or take another --task column.";

const DATE = /^\d{4}-\d{2}(?:-\d{2}(?:[T ][\d:.]+Z?)?)?$/;

/** Compares two rows by time. */
function timesOf(
  table: Table,
  name: string | undefined,
  filled: Uint8Array,
): (a: number, b: number) => number {
  if (name === undefined)
    throw new DataError("time: name the column that orders the rows (--time).");
  const column = table.column(name);
  for (let row = 0; row < table.rows; row++) {
    if (filled[row] === 1 && table.missing(column, row)) {
      throw new DataError(`${table.place(row, name)}: the time is missing.`);
    }
  }
  if (table.isNumeric(column)) {
    const values = table.numbers(name);
    return (a, b) => values[a]! - values[b]!;
  }
  const texts = table.texts(name);
  const isOdd = (text: string, row: number) => filled[row] === 1 && !DATE.test(text);
  const odd = isNumberColumn(column) ? -1 : texts.findIndex(isOdd);
  if (odd >= 0) {
    throw new DataError(
      `${table.place(odd, name)}: expected a number or a date as YYYY-MM-DD or YYYY-MM-DD hh:mm:ss.`,
    );
  }
  return (a, b) => (texts[a]! < texts[b]! ? -1 : texts[a]! > texts[b]! ? 1 : 0);
}
