/**
 * A person's own table: what its columns look like, and the tasks it becomes.
 * @module
 */
import {
  readTable,
  tasksFromTable,
  type FeatureKind,
  type Table,
} from "../../../src/data/index.js";
import { split, transformsOf } from "./built-in.js";
import type {
  ColumnSummary,
  LoadedData,
  TableChoice,
  TableFile,
  TableSummary,
} from "./messages.js";

/** Different values are counted up to here. */
const MOST_DISTINCT = 1000;

function summaryOf(table: Table, index: number): ColumnSummary {
  const column = table.columns[index]!;
  const values = new Set<string | number>();
  let missing = 0;
  for (let row = 0; row < table.rows; row++) {
    if (table.missing(column, row)) missing++;
    else if (values.size < MOST_DISTINCT) values.add(column.values[row]!);
  }
  return { name: column.name, numeric: table.isNumeric(column), distinct: values.size, missing };
}

/** Reads the file and says what its columns are like. */
export async function inspectTable({ name, bytes }: TableFile): Promise<TableSummary> {
  const table = await readTable(bytes, { name });
  const columns = table.columns.map((_, index) => summaryOf(table, index));
  return { name, rows: table.rows, columns };
}

/** Reads the file and makes tasks of it. Missing numbers take their task's mean. */
export async function loadTable(job: {
  file: TableFile;
  choice: TableChoice;
}): Promise<LoadedData> {
  const { file, choice } = job;
  const table = await readTable(file.bytes, { name: file.name });
  const kinds: Record<string, FeatureKind> = {};
  for (const column of choice.categorical) kinds[column] = "category";
  const { tasks, encoding, dropped } = tasksFromTable(table, {
    task: choice.task,
    target: choice.target,
    features: choice.features,
    targetKind: choice.loss === "squared" ? "number" : "auto",
    kinds,
    missing: "impute",
  });
  return split(tasks, {
    transforms: transformsOf(choice.scaling),
    loss: choice.loss,
    intercept: true,
    clip: 1,
    notCharged: encoding.pooled,
    encoding: encoding.toJSON(),
    dropped,
  });
}
