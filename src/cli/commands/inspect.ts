/**
 * `inspect`: a look at a table before anything is fitted, and a draft of its schema.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { someNames } from "../../core/messages/some-names.js";
import { THE_TASK } from "../../data/inspect/column-use.js";
import {
  draftSchema,
  inspectTable,
  type ColumnReport,
  type Table,
  type TableReport,
} from "../../data/index.js";
import { writeFileAtomically } from "../../node/index.js";
import { gathered } from "../fitted/guarantee-text.js";
import { shellWord } from "../words/shell-word.js";
import { alignedTable } from "../words/aligned-table.js";
import { defineCommand, type Values } from "../options/command.js";
import { nextAfterLook } from "../tables/inspect-next.js";
import { prepareData } from "../tables/prepare-data.js";
import { dataOptions, tableFormatOptions, type DataValues } from "../tables/data-options.js";
import { openTable, readSchema, usualRoles } from "../tables/read-data.js";
import { namesTasksWords, tellsTargetLine } from "../tables/words/value-notes.js";
import { text } from "../options/values.js";

const { data, task, target, ranges, features, missing, missingCodes, categorical, sparse } =
  dataOptions;

const options = {
  data,
  ...tableFormatOptions,
  task: {
    ...task,
    help: "Column with the name of each row's task; without it tasks are not looked at.",
  },
  target: { ...target, help: "Column with the target; without it nothing is said about a fit." },
  ranges,
  features,
  categorical,
  sparse,
  missing,
  missingCodes,
  out: {
    value: "FILE",
    help:
      "Where to write a draft of the schema file for --ranges: complete it with what is publicly known, and " +
      'remove "declared": false from what you vouch for.',
    schema: text("a file name"),
  },
} as const;

/** What inspect has no flags for. */
const dataDefaults = { hexPixels: undefined, weights: undefined };

/** Of this report, what only those may see who may see all tasks' rows. */
const POOLED_HERE =
  "its counts and what it says of constant columns and uses come from all tasks' rows, without noise: show it only to those who may see " +
  "these rows";

function columnRow(column: ColumnReport): string[] {
  const { name, holds, distinct, missing: gaps, constant, constantWithinTasks, use } = column;
  // That a task's name is, goes without saying.
  const within = constantWithinTasks && use !== THE_TASK;
  const still = constant ? "constant" : within ? "constant within tasks" : "";
  return [name, holds, String(distinct), gaps === 0 ? "" : String(gaps), still, use];
}

// These lines follow from all rows: the report is for whoever may see them.

function codesLine({ name, codes }: ColumnReport): string[] {
  if (codes.length === 0) return [];
  const found = codes.map(({ value, rows }) => `${value} (${counted(rows, "row")})`).join(", ");
  const said = shellWord(codes.map(({ value }) => value).join(","));
  return [
    `a person should look: column ${JSON.stringify(name)} holds ${found}, unlike its other values; ` +
      `if that stands for a missing value, say --missing-codes=${said}, or "missingCodes" of the column in a --ranges file ` +
      "(an empty list there: it does not)",
  ];
}

function perTaskLine(columns: readonly ColumnReport[]): string[] {
  const names = columns
    .filter(({ mayBePerTask, namesTasks }) => mayBePerTask && !namesTasks)
    .map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    `a person should look: ${someNames(names)}: the same in all rows of every task; if that is so by its meaning, as of a hospital's ` +
      'size, say "perTask": true in a --ranges file: standard errors of mp-mixed depend on it',
  ];
}

function namesTasksLine(columns: readonly ColumnReport[]): string[] {
  const names = columns.filter(({ namesTasks }) => namesTasks).map(({ name }) => name);
  return names.length === 0 ? [] : [`a person should look: ${namesTasksWords(names)}`];
}

function copiesLine(columns: readonly ColumnReport[]): string[] {
  const names = columns.filter(({ tellsTarget }) => tellsTarget).map(({ name }) => name);
  if (names.length === 0) return [];
  return [`a person should look: ${tellsTargetLine(names)}`];
}

function tailsLine(columns: readonly ColumnReport[]): string[] {
  const names = columns.filter(({ longTail }) => longTail).map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    `a person should look: ${someNames(names)}: a few values are far larger than most, and decide most of what is learned; the logarithm, ` +
      "written as a column in its place, is often better",
  ];
}

/** By chance in a table of a few answers; in one of measurements rather because a file was appended twice. */
const repeatedLine = ({ repeatedRows: count }: TableReport): string[] =>
  count === 0
    ? []
    : [
        `a person should look: ${counted(count, "row")} ${count === 1 ? "is" : "are"} the same as an earlier one in every column: if any were entered ` +
          "twice, take them out",
      ];

type Shown = TableReport & { readonly questions: readonly string[]; readonly loss?: string };

function describeSparse({ first, count, entries }: NonNullable<TableReport["sparse"]>): string {
  return `beside the columns: ${count} sparse features, x${first} to x${first + count - 1}, ${entries} entries that are not 0`;
}

function rowsOfTasks({ fewest, most, median }: NonNullable<TableReport["tasks"]>): string {
  if (fewest === most) return counted(most, "row");
  return `${fewest} to ${most} rows (median ${median})`;
}

/** A target of two numbers is of classes, of which the table alone does not know. */
function useWithLoss(
  { name, use }: ColumnReport,
  target: string | undefined,
  loss: string | undefined,
) {
  const classes = loss === "logistic" || loss === "softmax";
  if (name !== target || !classes || !use.startsWith("the target: a number")) return use;
  return "the target: numbers, taken as classes";
}

function describe(report: Shown, next: readonly string[], out: string | undefined): string {
  const { tasks, blankRows: blank } = report;
  const header = ["column", "holds", "different", "missing", "", "in a fit"];
  return [
    `${report.name}: ${counted(report.rows, "row")}` +
      (tasks ? `, ${counted(tasks.count, "task")} of ${rowsOfTasks(tasks)}` : "") +
      (blank > 0 ? `; ${counted(blank, "blank row")}, left out` : ""),
    alignedTable([header, ...report.columns.map(columnRow)]),
    ...(report.sparse ? [describeSparse(report.sparse)] : []),
    ...(report.loss ? [`a fit takes loss ${report.loss}, from the target`] : []),
    ...report.questions.map((question) => `a fit would ask: ${question}`),
    ...report.refused.map((why) => `a fit would refuse: ${why}`),
    ...copiesLine(report.columns),
    ...repeatedLine(report),
    ...report.columns.flatMap(codesLine),
    ...namesTasksLine(report.columns),
    ...perTaskLine(report.columns),
    ...tailsLine(report.columns),
    ...gathered(report.pooled).map((what) => `a private fit would list as not charged: ${what}`),
    `of this report: ${POOLED_HERE}`,
    ...next,
    ...(out === undefined
      ? []
      : [
          `draft of the schema written to ${out}: complete it with what is publicly known, and remove "declared": false from what you vouch for`,
        ]),
  ].join("\n");
}

/** What a fit would ask; of a table that it refuses, as far as the other columns tell. */
async function preparedOf(values: DataValues, table: Table, { refused, columns }: TableReport) {
  if (refused.length === 0) return prepareData(values, undefined, undefined, table);
  const features = columns.filter(({ feature }) => feature).map(({ name }) => name);
  if (features.length === 0) return undefined;
  const categorical = values.categorical?.filter((name) => features.includes(name));
  return prepareData({ ...values, features, categorical }, undefined, undefined, table);
}

async function run(values: Values<typeof options>) {
  const { features, missing, categorical = [], sparse, out } = values;
  const table = await openTable(values.data, values);
  const usual = usualRoles(values.data);
  const tasks = usual.task !== undefined && table.has(usual.task) ? usual.task : undefined;
  const { task = tasks, target = usual.target } = values;
  const schema = values.ranges === undefined ? undefined : await readSchema(values.ranges);
  const known = {
    ...(task === undefined ? {} : { task }),
    ...(target === undefined ? {} : { target }),
    ...(features === undefined ? {} : { features }),
    ...(schema === undefined ? {} : { schema }),
    kinds: Object.fromEntries(categorical.map((name) => [name, "category"] as const)),
    ...(sparse ? { sparse } : {}),
    missing,
    ...(values.missingCodes ? { missingCodes: values.missingCodes } : {}),
  };
  const report = inspectTable(table, known);
  const fits = report.refused.length === 0;
  const aim = target ?? schema?.target?.column;
  const prepared =
    report.tasks !== null && aim !== undefined
      ? await preparedOf({ ...dataDefaults, ...values }, table, report)
      : undefined;
  const { questions = [], loss } = prepared ?? {};
  if (out !== undefined) {
    await writeFileAtomically(out, `${JSON.stringify(draftSchema(table, known), null, 2)}\n`);
  }
  const columns = report.columns.map((column) => ({
    ...column,
    use: useWithLoss(column, aim, loss),
  }));
  const document = {
    ...report,
    columns,
    ...(loss ? { loss } : {}),
    questions,
    statistics: POOLED_HERE,
  };
  const roles = { task: task ?? schema?.task, target: aim };
  const next = nextAfterLook({ ...roles, prepared: fits ? prepared : undefined });
  return { document, text: describe(document, next, out) };
}

export const inspectCommand = defineCommand({
  options,
  examples: ["inspect --data school.csv --task school --target score --out schema.json"],
  run,
});
