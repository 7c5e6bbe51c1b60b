/**
 * Where an evaluation's rows come from, read so that it runs unattended on any table: what is missing
 * is filled in, text becomes categories, the loss follows the target; and all of that is said.
 * @module
 */
import { createHash } from "node:crypto";
import { OptionError } from "../../core/index.js";
import {
  type Table,
  TableEncoding,
  type FeatureKind,
  type TaskSet,
  type TaskSource,
} from "../../data/index.js";
import type { LossName } from "../../learning/index.js";
import { taskArrays } from "../../model/index.js";
import { readTable } from "../../node/index.js";
import { schemaOf, type DataValues } from "../data-options.js";
import type { CellData } from "./cell.js";

/** What `evaluate` says of its data. */
export interface SourceValues {
  readonly data: string | undefined;
  readonly task: string | undefined;
  readonly target: string | undefined;
  readonly simulate: "low-rank" | "group-sparse" | undefined;
  readonly tasks: number | undefined;
  readonly loss: LossName | "auto";
  readonly trainFraction: number;
}

/** The data, what it is to be fitted with, and what was done to it. */
export interface Source {
  readonly data: CellData;
  readonly loss: LossName;
  /** Number of tasks. */
  readonly m: number;
  /** sha256 of a table's rows; undefined for simulations, which their options determine. */
  readonly digest: string | undefined;
  readonly notes: readonly string[];
}

/** Text columns with more values than this are names or free text, not categories. */
const MOST_LEVELS = 50;
/** Tasks of a simulation, unless told otherwise. */
const SIMULATED_TASKS = 320;

/**
 * @throws OptionError if there is no data, or two kinds of it; DataError as the reader.
 */
export async function readSource(values: SourceValues): Promise<Source> {
  const { simulate, tasks, loss, trainFraction } = values;
  if (simulate !== undefined) {
    if (values.data !== undefined) {
      throw new OptionError("--data and --simulate exclude each other.");
    }
    const options = { pattern: simulate, ...(tasks ? { tasks } : {}) };
    return {
      data: { kind: "simulation", options },
      loss: loss === "auto" ? "squared" : loss,
      m: tasks ?? SIMULATED_TASKS,
      digest: undefined,
      notes: [],
    };
  }
  const missing = (["data", "task", "target"] as const).filter(
    (name) => values[name] === undefined,
  );
  if (missing.length > 0) {
    throw new OptionError(`--${missing.join(", --")} needed, or --simulate PATTERN.`);
  }
  const { set, notes } = await readTasks(values as unknown as DataValues, loss);
  const chosen = loss === "auto" ? lossOf(set) : loss;
  const hash = createHash("sha256").update(set.x).update(set.y).update(set.offsets);
  return {
    data: { kind: "table", tasks: taskArrays(set), trainFraction },
    loss: chosen,
    m: set.m,
    digest: hash.digest("hex"),
    notes: loss === "auto" ? [...notes, `loss ${chosen}, from the target`] : notes,
  };
}

async function readTasks(values: DataValues, loss: LossName | "auto") {
  const table = await readTable(values.data);
  const schema = schemaOf(values, loss === "squared" ? "number" : "auto");
  const { kinds, leftOut } = textColumns(table, schema);
  const features = (schema.features ?? table.columnNames).filter(
    (name) => name !== schema.task && name !== schema.target && !leftOut.includes(name),
  );
  const full = { ...schema, features, kinds: { ...kinds, ...schema.kinds } };
  const encoding = TableEncoding.fit(table, full);
  const { tasks: set, dropped } = encoding.apply(table);
  const categories = Object.keys(kinds);
  const gaps = features.filter((name) => {
    const column = table.column(name);
    return Array.from({ length: table.rows }, (_, row) => table.missing(column, row)).includes(
      true,
    );
  });
  const named = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(", ");
  const notes = [
    ...(categories.length > 0 ? [`text columns taken as categories: ${named(categories)}`] : []),
    ...(leftOut.length > 0
      ? [`columns of more than ${MOST_LEVELS} different texts left out: ${named(leftOut)}`]
      : []),
    ...(gaps.length > 0
      ? [
          `missing values filled in (numbers by the mean of all their task's rows, held-out ones ` +
            `among them): ${named(gaps)}`,
        ]
      : []),
    ...(dropped > 0 ? [`${dropped} rows without a target left out`] : []),
  ];
  return { set, notes };
}

/** Feature columns of text whose kind was not declared: categories where they have few values. */
function textColumns(
  table: Table,
  {
    task,
    target,
    features,
    kinds = {},
  }: { task: TaskSource } & Partial<ReturnType<typeof schemaOf>>,
): { kinds: Record<string, FeatureKind>; leftOut: string[] } {
  const found: Record<string, FeatureKind> = {};
  const leftOut: string[] = [];
  for (const name of features ?? table.columnNames) {
    if (name === task || name === target || Object.hasOwn(kinds, name)) continue;
    if (!table.has(name) || table.isNumeric(table.column(name))) continue;
    if (new Set(table.texts(name)).size <= MOST_LEVELS) found[name] = "category";
    else if (features === undefined) leftOut.push(name);
  }
  return { kinds: found, leftOut };
}

/** Two values of any kind: logistic; several labels: softmax; numbers: squared. */
function lossOf({ y, targetLevels }: TaskSet): LossName {
  const values = new Set(y).size;
  if (values === 2) return "logistic";
  return targetLevels === undefined || values < 2 ? "squared" : "softmax";
}
