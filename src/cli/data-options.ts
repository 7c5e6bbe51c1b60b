/**
 * Options with which a command reads tasks from files, shared by all that do.
 * @module
 */
import type { FeatureKind, TableSchema } from "../data/index.js";
import { TableEncoding, type EncodedTable } from "../data/index.js";
import { readTable } from "../node/read-table.js";
import type { Values } from "./command.js";
import { choice, list, text } from "./values.js";

export const dataOptions = {
  data: {
    value: "FILE",
    help: "Table with a header: .csv, .tsv (also .gz), .parquet or .npy.",
    schema: text("a file name"),
    required: true,
    group: "data",
  },
  task: {
    value: "COL",
    help: "Column with the name of each row's task.",
    schema: text("a column name"),
    required: true,
    group: "data",
  },
  target: {
    value: "COL",
    help: "Column with the target.",
    schema: text("a column name"),
    required: true,
    group: "data",
  },
  features: {
    value: "A,B",
    help: "Feature columns; all others when not given.",
    schema: list("column names separated by commas"),
    group: "data",
  },
  categorical: {
    value: "A,B",
    help: "Feature columns that become one column of 0 and 1 for each of their values.",
    schema: list("column names separated by commas"),
    group: "data",
  },
  hexPixels: {
    value: "COL",
    help: "Feature column of hexadecimal digits: each digit / 15 is a feature.",
    schema: text("a column name"),
    group: "data",
  },
  missing: {
    value: "refuse|impute",
    help:
      "Missing values: refused; or numbers take the mean of their task, categories and binary " +
      "columns get a category of their own, rows without a target are left out.",
    schema: choice("refuse", "impute"),
    default: "refuse",
    group: "data",
  },
} as const;

/** Their checked values. */
export type DataValues = Values<typeof dataOptions>;

/** What the options say of the table's columns. */
export function schemaOf(values: DataValues, targetKind: TableSchema["targetKind"]): TableSchema {
  const { task, target, features, categorical = [], hexPixels, missing } = values;
  const kinds: Record<string, FeatureKind> = {};
  for (const name of categorical) kinds[name] = "category";
  if (hexPixels !== undefined) kinds[hexPixels] = "hex-digits";
  return {
    task,
    target,
    kinds,
    missing,
    ...(targetKind ? { targetKind } : {}),
    ...(features ? { features } : {}),
  };
}

/**
 * Reads `--data` and learns how its columns become features.
 * @param targetKind  "number" for a loss on numbers, so that a stray text is named by its line.
 */
export async function readTrainingTasks(
  values: DataValues,
  targetKind: TableSchema["targetKind"] = "auto",
): Promise<EncodedTable & { encoding: TableEncoding }> {
  const table = await readTable(values.data);
  const encoding = TableEncoding.fit(table, schemaOf(values, targetKind));
  return { ...encoding.apply(table), encoding };
}

/** Reads another file with the columns of the training data, encoded alike. */
export async function readMoreTasks(path: string, encoding: TableEncoding): Promise<EncodedTable> {
  return encoding.apply(await readTable(path));
}
