/**
 * What was assumed of a table of which not everything was declared, in words.
 * @module
 */
import { someNames } from "../../../core/messages/some-names.js";
import { counted } from "../../../core/messages/counted.js";
import type { Column } from "../../../data/table/table.js";
import type { Table, TableEncoding, TableSchema } from "../../../data/index.js";
import { holdsCaseNumbers } from "../../../data/inspect/signs/case-numbers.js";
import { holdsGivenNumbers } from "../../../data/inspect/signs/given-numbers.js";
import { withoutBlankRows } from "../../../data/table/blank-rows.js";
import { rowsWithTargets } from "../../../data/encode/rows-with-targets.js";
import type { ColumnEncoding } from "../../../data/columns/column-encoding.js";
import { holdsDayNumbers } from "../../../data/inspect/signs/calendar-numbers.js";
import { holdsDates } from "../../../data/inspect/signs/dates.js";
import { MOST_LEVELS } from "../../../data/columns/infer-kinds.js";
import { named, valueNotes } from "./value-notes.js";

/** Rows left out for want of a target, and tasks that rows are left of. */
interface LeftOut {
  readonly dropped: number;
  readonly kept: number;
}

/** What was taken for what, left out and filled in, unasked. */
export function tableNotes(
  given: Table,
  asked: TableSchema,
  encoding: TableEncoding,
  left: LeftOut,
): string[] {
  const table = withoutBlankRows(given);
  const used = new Set<unknown>(encoding.columnNames);
  const declared = { ...asked.schema?.columns, ...asked.kinds };
  const open = [...used].filter((name) => !Object.hasOwn(declared, name as string)) as string[];
  return [
    ...(table.index === undefined || used.has(table.index)
      ? []
      : [`the first column, which has no name in the header, numbers the rows and is left out`]),
    ...categoryNotes(table, open),
    ...numberingNotes(table, open),
    ...leftOutNotes(table, unused(table, asked, [...used, ...Object.keys(declared)])),
    ...percentNotes(table, encoding),
    ...constantNotes(table, open),
    ...rangeNotes(encoding),
    ...valueNotes(table, asked, encoding),
    ...gapNotes(rowsWithTargets(table, asked), open, encoding),
    ...spareNotes(table, asked, encoding),
    ...droppedNotes(table, asked, left),
  ];
}

/** Columns of texts of which nothing was declared. */
function categoryNotes(table: Table, open: readonly string[]): string[] {
  const categories = open.filter((name) => !table.isNumeric(table.column(name)));
  const dates = categories.filter((name) => holdsDates(table, name));
  return [
    ...(categories.length > 0 ? [`text columns taken as categories: ${named(categories)}`] : []),
    ...(dates.length > 0
      ? [
          `of these ${named(dates)} ${dates.length === 1 ? "holds" : "hold"} dates, each a category that tells nothing of any other date: write ` +
            "them as numbers, as days since a fixed day, or leave them out (--features)",
        ]
      : []),
  ];
}

/** Columns of numbers that name days, or count rows or persons, rather than measure anything. */
function numberingNotes(table: Table, open: readonly string[]): string[] {
  const days = open.filter((name) => holdsDayNumbers(table, name));
  const cases = open.filter((name) => !days.includes(name) && holdsCaseNumbers(table, name));
  const known = [...days, ...cases];
  const numbered = open.filter((name) => !known.includes(name) && holdsGivenNumbers(table, name));
  return [
    ...(days.length > 0
      ? [
          `${named(days)} ${days.length === 1 ? "seems" : "seem"} to hold days as 20260301, between which the numbers jump with every ` +
            "month: write days since a fixed day, or leave them out (--features)",
        ]
      : []),
    ...(cases.length > 0
      ? [
          `${named(cases)} ${cases.length === 1 ? "has" : "have"} another whole number in every row, as numbers of cases are, and ` +
            "would be learned from: if they name rows, declare them identifiers (--ranges), or name the others (--features)",
        ]
      : []),
    ...(numbered.length > 0
      ? [
          `${named(numbered)} ${numbered.length === 1 ? "seems" : "seem"} to hold numbers that are given out, as those of patients are, and ` +
            "would be learned from: if they name rows or persons, declare them identifiers (--ranges), or name the others (--features)",
        ]
      : []),
  ];
}

/** Columns without a role of which nothing was said and that are no features; none where features were named. */
function unused(table: Table, asked: TableSchema, known: readonly unknown[]): string[] {
  const { task, target, weights, person, features } = asked;
  const apart = new Set<unknown>([task, target, weights, person, table.index, ...known]);
  return features ? [] : table.columnNames.filter((name) => !apart.has(name));
}

/** Of columns that are left out for their many texts. */
function leftOutNotes(table: Table, leftOut: readonly string[]): string[] {
  const dates = leftOut.filter((name) => holdsDates(table, name));
  const texts = leftOut.filter((name) => !dates.includes(name));
  return [
    ...(dates.length > 0
      ? [
          `columns of more than ${MOST_LEVELS} different dates left out: ${named(dates)}; written as numbers, as days since a fixed ` +
            "day, they are features",
        ]
      : []),
    ...(texts.length > 0
      ? [
          `columns of more than ${MOST_LEVELS} different texts left out: ${named(texts)}; one that is a category after all is ` +
            "taken by --categorical NAME, or with its levels in a --ranges file",
        ]
      : []),
  ];
}

/** Of rows without a target, or without what the schema asks for. */
function droppedNotes(table: Table, { schema, task }: TableSchema, { dropped, kept }: LeftOut) {
  if (dropped === 0) return [];
  const asksMore = Object.values(schema?.columns ?? {}).some(
    (column) => "missing" in column && column.missing === "drop",
  );
  const others = asksMore ? ", or without a value that the schema asks for," : "";
  return [
    `${counted(dropped, "row")} without a target${others} left out${lostTasks(table, task, kept)}`,
  ];
}

/** Columns, declared or not, whose numbers are written with percent signs: a range of [0, 1] would mean something else. */
function percentNotes(table: Table, encoding: TableEncoding): string[] {
  const { columns, target, targetKind } = encoding.toJSON();
  const numbers = [
    ...columns.flatMap(({ kind, column }) => (kind === "number" ? [column] : [])),
    ...(targetKind === "label" ? [] : [target]),
  ];
  const found = numbers.filter((name) => table.isPercentage(table.column(name)));
  if (found.length === 0) return [];
  return [`percentages are read as numbers, 50 % as 50: ${named(found)}`];
}

/** Columns of numbers without a range where others have one: forgotten, perhaps, as a null that a draft of the schema left. */
function rangeNotes(encoding: TableEncoding): string[] {
  const { columns, target, targetRange, targetKind } = encoding.toJSON();
  const numbers = columns.flatMap((column) => (column.kind === "number" ? [column] : []));
  const open = numbers.filter(({ range }) => !range).map(({ column }) => column);
  const raw = [...open, ...(targetKind === "label" || targetRange ? [] : [target])];
  const ranged = numbers.length - open.length + (targetRange ? 1 : 0);
  if (raw.length === 0 || ranged === 0) return [];
  return [
    `no range is declared of ${someNames(raw)}, other than of ${counted(ranged, "column")}: what is publicly known of ` +
      `${raw.length === 1 ? "it" : "them"} spares budget (--ranges; null says nothing)`,
  ];
}

/** Whether all rows have the same value, or none. */
function isConstant(table: Table, column: Column): boolean {
  const { values } = column;
  const isMissing = table.missing(column, 0);
  for (let row = 1; row < table.rows; row++) {
    if (isMissing ? !table.missing(column, row) : values[row] !== values[0]) return false;
  }
  return true;
}

/** Columns of which nothing was declared and that tell no row from another. */
function constantNotes(table: Table, open: readonly string[]): string[] {
  const constant = open.filter((name) => isConstant(table, table.column(name)));
  const empty = constant.filter((name) => table.missing(table.column(name), 0));
  const line = (names: readonly string[], what: readonly [string, string]) =>
    names.length === 0
      ? []
      : [
          `${named(names)} ${what[names.length === 1 ? 0 : 1]}, so that nothing can be learned from ` +
            `${names.length === 1 ? "it" : "them"}: ` +
            'better left out (--features, or declared { "kind": "ignore" } in a --ranges file)',
        ];
  return [
    ...line(empty, ["holds nothing", "hold nothing"]),
    ...line(
      constant.filter((name) => !empty.includes(name)),
      ["is the same in all rows", "are the same in all rows"],
    ),
  ];
}

/** Tasks all of whose rows were left out, which a count of rows does not tell. */
function lostTasks(table: Table, task: TableSchema["task"], kept: number): string {
  if (typeof task !== "string") return "";
  const names = new Set(table.texts(task));
  names.delete(""); // a row without anything in it is nobody's
  const lost = names.size - kept;
  if (lost === 0) return "";
  return `, among them all rows of ${counted(lost, "task")}, for which there will be no model`;
}

/** What stands where a value is missing. */
function fillOf(column: ColumnEncoding): string {
  if (column.kind !== "number") return "taken for a category of their own";
  return column.means
    ? "filled in by the mean of their task's training rows"
    : "filled in by 0 (--missing)";
}

/**
 * Declared categories with a column for missing values of which there are none: whether it is there must not be learned from rows,
 * so the schema decides.
 */
function spareNotes(table: Table, { schema }: TableSchema, encoding: TableEncoding): string[] {
  const spare = encoding
    .toJSON()
    .columns.filter((one) => one.kind === "category" && one.missing && !table.hasGaps(one.column))
    .map(({ column }) => column)
    .filter((name) => {
      const declared = schema?.columns[name];
      return declared !== undefined && "levels" in declared && declared.missing === undefined;
    });
  if (spare.length === 0) return [];
  return [
    `${someNames(spare.map((name) => `${name}=missing`))} ${spare.length === 1 ? "is a column" : "are columns"} for missing values, of which there are ` +
      'none here: the schema does not say that there cannot be any ("missing": "refuse" or "zeros" of the column), and rows must not say it',
  ];
}

/** The same of all columns of which nothing was declared. */
function gapNotes(table: Table, open: readonly string[], encoding: TableEncoding): string[] {
  const fills = new Map<string, string[]>();
  for (const column of encoding.toJSON().columns) {
    const name = column.column;
    if (!open.includes(name) || !table.hasGaps(name)) continue;
    fills.set(fillOf(column), [...(fills.get(fillOf(column)) ?? []), JSON.stringify(name)]);
  }
  return [...fills].map(([how, names]) => `missing values ${how}: ${names.join(", ")}`);
}
