/**
 * A person's own table: what its columns look like, and the tasks it becomes.
 * @module
 */
import { DataError } from "../../../src/core/index.js";
import {
  TableEncoding,
  type FeatureKind,
  type Range,
  type Table,
  type TableSchema,
} from "../../../src/data/index.js";
import { rowsWithTargets } from "../../../src/data/encode/rows-with-targets.js";
import { constantWithinTasks } from "../../../src/data/checks/constant-target.js";
import { observedLevels } from "../../../src/data/columns/categorical.js";
import { holdsDates } from "../../../src/data/inspect/signs/dates.js";
import { holdsMarkedNumbers } from "../../../src/data/inspect/signs/marked-numbers.js";
import { suspiciousCodes } from "../../../src/data/inspect/signs/suspicious-codes.js";
import { codesOf, withoutCodes } from "../../../src/data/schema/missing-codes.js";
import { SCHEMA_FORMAT, type TargetDeclaration } from "../../../src/data/schema/schema.js";
import { readAsWritten, readLooking } from "./read-as-written.js";
import { splitOf } from "./split-of.js";
import type { ColumnSummary, SplitData, TableChoice, TableFile, TableSummary } from "./messages.js";

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
  const { name } = column;
  const written = holdsMarkedNumbers(table, name)
    ? "marked"
    : holdsDates(table, name)
      ? "dates"
      : undefined;
  return {
    name,
    numeric: table.isNumeric(column),
    distinct: values.size,
    missing,
    codes: suspiciousCodes(table, name),
    ...(written ? { written } : {}),
  };
}

/** Reads the file and says what its columns are like. */
export async function inspectTable({ name, bytes }: TableFile): Promise<TableSummary> {
  const table = await readAsWritten(bytes, name);
  // A column that only numbers the rows is nothing to choose.
  const columns = table.columns.flatMap((column, index) =>
    column.name === table.index ? [] : [summaryOf(table, index)],
  );
  return { name, rows: table.rows, columns };
}

/** The least and the largest value of a column of numbers; undefined where it has one value, or none. */
function observedRange(table: Table, name: string): Range | undefined {
  let [least, most] = [Infinity, -Infinity];
  for (const value of table.numbers(name)) {
    if (Number.isNaN(value)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return least < most ? [least, most] : undefined;
}

/** Where a number's range comes from; undefined: raw units. Ranges of the table count as pooled. */
function rangeOf(table: Table, name: string, { rangesFrom, ranges }: TableChoice) {
  if (rangesFrom === "stated") {
    return Object.hasOwn(ranges, name) ? { range: ranges[name]! } : undefined;
  }
  const range = rangesFrom === "table" ? observedRange(table, name) : undefined;
  return range && { range, declared: false };
}

/** A category has a column for gaps where it has some, as on the command line; whoever says that its levels are public says so of that. */
function featureKind(table: Table, name: string, choice: TableChoice): FeatureKind | undefined {
  if (!choice.categorical.includes(name)) {
    const range = rangeOf(table, name, choice);
    return range && { kind: "number", ...range };
  }
  const levels = observedLevels(table, name);
  const gaps = table.hasGaps(name);
  return {
    kind: levels.length === 2 && !gaps ? "binary" : "category",
    levels,
    declared: choice.levelsPublic,
    unseen: "zeros",
    missing: gaps ? "level" : "zeros",
  };
}

/** That a target is an amount the page guesses by its values: unless a range is stated of it nobody vouches for that. */
function targetOf(table: Table, choice: TableChoice): TargetDeclaration {
  const { target: column, loss, levelsPublic } = choice;
  if (loss === "squared") {
    const range = rangeOf(table, column, choice);
    const limits = choice.rangesFrom === "stated" && choice.limits;
    return {
      column,
      kind: "number",
      missing: "drop",
      declared: false,
      ...(range ? { declared: true, ...range } : {}),
      ...(limits ? { limits } : {}),
    };
  }
  const levels = observedLevels(table, column);
  return { column, kind: "category", levels, declared: levelsPublic, missing: "drop" };
}

/** What was said of the columns, as the library reads it. */
export function schemaOf(given: Table, choice: TableChoice): TableSchema {
  const { task, target, features, leftOut = [], loss, missingCodes = [] } = choice;
  const codes = codesOf(given, { task, target, missingCodes });
  const table = rowsWithTargets(withoutCodes(given, codes), { target, missing: "impute" });
  const kinds = features.flatMap((name) => {
    const kind = featureKind(table, name, choice);
    return kind ? [[name, kind] as const] : [];
  });
  const ignored = { kind: "ignore", declared: false } as const;
  const columns = Object.fromEntries(leftOut.map((name) => [name, ignored] as const));
  return {
    task,
    target,
    features,
    kinds: Object.fromEntries(kinds),
    missing: "impute",
    // Of what nothing is said, the guarantee is to say that it was looked at.
    undeclared: "auto",
    targetKind: loss === "squared" ? "number" : "label",
    ...(missingCodes.length > 0 ? { missingCodes } : {}),
    schema: { ...SCHEMA_FORMAT, columns, target: targetOf(table, choice) },
  };
}

/** Reads the file and makes tasks of it. Missing numbers take their task's mean. */
export async function loadTable(job: {
  file: TableFile;
  choice: TableChoice;
  split: number;
}): Promise<SplitData> {
  const { file, choice, split } = job;
  const { table, decided } = await readLooking(file.bytes, file.name);
  const { task, loss, scaling } = choice;
  const encoding = TableEncoding.fit(table, schemaOf(table, choice));
  if (constantWithinTasks(encoding.apply(table).tasks)) {
    throw new DataError(
      `the target ${JSON.stringify(choice.target)} is the same in all rows of every task, so that no feature can ` +
        "matter within one: choose another target, or another task.",
    );
  }
  const parts = splitOf(encoding, table, { task, split, loss, scaling, clip: 1 });
  return { ...parts, notCharged: decided };
}
