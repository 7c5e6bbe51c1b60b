/**
 * Options with which a command reads tasks from files, shared by all that do.
 * @module
 */
import type { Missing } from "../../data/index.js";
import type { Values } from "../options/command.js";
import { choice, list, text, yesNo } from "../options/values.js";

/** How a table of text is written, where not with commas and points. */
export const tableFormatOptions = {
  delimiter: {
    value: "CHAR",
    help: 'Between the cells of a text table: "," (default; tabs in .tsv), ";", "|" or tab.',
    schema: choice(",", ";", "|", "tab"),
  },
  decimal: {
    value: "CHAR",
    help: 'Decimal sign of numbers in a text table: "." (default) or ",".',
    schema: choice(".", ","),
  },
} as const;

export const dataOptions = {
  data: {
    value: "FILE",
    help:
      "Table with a header: .csv, .tsv (also .gz), .parquet or .npy; or sparse rows: .svmlight (.svm, .libsvm), whose " +
      "columns are target and qid.",
    schema: text("a file name"),
    required: true,
    group: "data",
  },
  ...tableFormatOptions,
  task: {
    value: "COL",
    help: "Column with the name of each row's task; needed unless --ranges names it.",
    schema: text("a column name"),
    group: "data",
  },
  weights: {
    value: "COL",
    help: "Column with each row's weight (a number >= 0), in fitting and in scores; not a feature. Only proportions within a task matter.",
    schema: text("a column name"),
    group: "data",
  },
  target: {
    value: "COL",
    help: "Column with the target; needed unless --ranges names it.",
    schema: text("a column name"),
    group: "data",
  },
  ranges: {
    value: "FILE",
    help:
      "Schema file (JSON; inspect --out drafts one) with what is publicly known of the columns: ranges, " +
      "units, levels, roles. Numbers are scaled by their ranges, predictions come back in raw units.",
    schema: text("a file name"),
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
    help:
      "Feature columns that become one column of 0 and 1 for each of their values; columns of text with " +
      "at most 50 different values do so by themselves.",
    schema: list("column names separated by commas"),
    group: "data",
  },
  sparse: {
    value: "yes|no",
    help:
      "Store only features that are not 0: for categories of many levels (--categorical item). Files of sparse rows are stored so " +
      "anyway. Methods that work with d x d numbers make up to 256 features dense and refuse more.",
    schema: yesNo(),
    default: false,
    group: "data",
  },
  hexPixels: {
    value: "COL",
    help: "Feature column of hexadecimal digits: each digit / 15 is a feature.",
    schema: text("a column name"),
    group: "data",
  },
  missing: {
    value: "impute|center|refuse",
    help:
      "Missing values: impute: numbers take the mean of their task, categories and binary columns get a category of " +
      "their own, rows without a target are left out; center: the same, but numbers take the middle of their declared " +
      "range, so that single records can be protected; refuse.",
    schema: choice("refuse", "impute", "center"),
    default: "impute",
    group: "data",
  },
  missingCodes: {
    value: "A,B",
    help:
      "Values that stand for a missing one, such as -99,unknown; inspect names values that look like it. A --ranges file can say so " +
      "for a column.",
    schema: list("values separated by commas"),
    group: "data",
  },
} as const;

const { default: _, ...missing } = dataOptions.missing;

/** `--missing` of a command whose method may protect single records: its default depends on that. */
export const missingByUnit = {
  ...missing,
  shownDefault: "impute; center where single records are protected; refuse with --stream",
} as const;

/** What stands for missing values: what was asked for, or what the method's promise allows. */
export function missingFor(
  asked: Missing | undefined,
  { unit = "task" }: { readonly unit?: unknown },
): Missing {
  return asked ?? (unit === "task" ? "impute" : "center");
}

/** For commands whose method may protect a person's rows together. */
export const personOption = {
  value: "COL",
  help:
    "Column with the person that each row is about, named alike in every task; not a feature. With --unit record or both, rows " +
    "beyond --rows-per-person and --tasks-per-person are left out.",
  schema: text("a column name"),
  group: "data",
} as const;

/** Their checked values. */
export type DataValues = Values<typeof dataOptions> & { readonly person?: string | undefined };
