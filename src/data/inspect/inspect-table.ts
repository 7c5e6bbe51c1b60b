/**
 * A look at a table before anything is fitted: its columns, its tasks, and what would be done with each.
 * @module
 */
import { requireTable } from "../table/require-table.js";
import { counted } from "../../core/messages/counted.js";
import { THE_TASK, useOf, useOfTarget } from "./column-use.js";
import { groupRows, type Groups } from "../table/groups.js";
import type { FeatureNumbers } from "../sparse/sparse-features.js";
import type { TableSchema } from "../schema/table-schema.js";
import type { Table } from "../table/table.js";
import { codesOf, mayHaveCodes, withoutCodes } from "../schema/missing-codes.js";
import { hasLongTail } from "./signs/long-tail.js";
import { repeatedRows } from "./signs/repeated-rows.js";
import { suspiciousCodes, type SuspiciousCode } from "./signs/suspicious-codes.js";
import type { Range } from "../columns/scale.js";
import { tryToFit } from "./try-to-fit.js";
import { targetCopies } from "./signs/target-copies.js";
import { withoutBlankRows } from "../table/blank-rows.js";
import { isConstantWithin, namesTasksToo, seemsPerTask } from "./signs/within-tasks.js";

/** One column of a table. Its figures are measured over all rows. */
export interface ColumnReport {
  /** Name of the column. */
  readonly name: string;
  /** What its cells are, but for missing ones; "nothing" where all are missing. */
  readonly holds: "numbers" | "text" | "nothing";
  /** Number of different values. */
  readonly distinct: number;
  /** Number of missing cells. */
  readonly missing: number;
  /** Whether all cells are the same. */
  readonly constant: boolean;
  /** Whether it is the same in all rows of every task; null where the task column is not known. */
  readonly constantWithinTasks: boolean | null;
  /** Whether a fit takes it for a feature; false where it would refuse the table because of this column, or more has to be known. */
  readonly feature: boolean;
  /** Whether a person should say if it is so by its meaning (`perTask`): tasks differ in it, and nothing declares it. */
  readonly mayBePerTask: boolean;
  /** Of a feature of text: whether it names the tasks once more, as an address does, so that it tells nothing of a task's rows. */
  readonly namesTasks: boolean;
  /** Of a feature: whether it says what the target is, as a copy of it does. */
  readonly tellsTarget: boolean;
  /** Of a number, feature or target: whether its values are positive and a few far larger than most, which their logarithms are not. */
  readonly longTail: boolean;
  /** Values outside the declared range; 0 where no range is declared. */
  readonly outside: number;
  /** Values that look like codes for missing ones; empty for columns that name something, or whose codes are declared. */
  readonly codes: readonly SuspiciousCode[];
  /** What a fit would do with it. */
  readonly use: string;
}

/** A table as `inspect` sees it. */
export interface TableReport {
  /** Name of the table, as messages have it. */
  readonly name: string;
  /** Number of rows, but for blank ones. */
  readonly rows: number;
  /** Number of rows in which every cell is missing, as spreadsheets leave them behind: nothing else counts them. */
  readonly blankRows: number;
  /** Number of tasks and their rows; null where the task column is not known. */
  readonly tasks: {
    /** Number of tasks. */
    readonly count: number;
    /** Rows of the smallest task. */
    readonly fewest: number;
    /** Median number of rows of a task. */
    readonly median: number;
    /** Rows of the largest task. */
    readonly most: number;
  } | null;
  /** One report for every column, in their order. */
  readonly columns: readonly ColumnReport[];
  /** Rows that are the same as an earlier one in every column. */
  readonly repeatedRows: number;
  /** Features beside the columns; null where there are none. */
  readonly sparse:
    | (FeatureNumbers & {
        /** Entries that are written down, of all rows together. */
        readonly entries: number;
      })
    | null;
  /** What a fit would learn from several tasks' rows: a private one lists it under `notCharged`. */
  readonly pooled: readonly string[];
  /** Why a fit would refuse the table as it is, by column; empty where it would not. */
  readonly refused: readonly string[];
}

/** What is known of the roles so far. */
export type InspectOptions = Omit<TableSchema, "targetKind">;

/**
 * Looks at a table as the command `inspect` does, without fitting anything: what its columns hold, and what `fit` would do with each
 * (there missing cells are filled in and text becomes categories unless `options` says otherwise).
 *
 * @param table   one row a sample, as `readTable` or `tableFrom` gives it.
 * @param options what is known so far; without task or target no column's use is certain, and nothing is refused.
 * @returns figures over all tasks' rows, without noise: for whoever may see these.
 * @throws TypeError for what is no table; DataError for a task or target column that is not there.
 * @example inspectTable(table, { task: "school", target: "score" }).refused
 */
export function inspectTable(table: Table, options: InspectOptions = {}): TableReport {
  requireTable(table);
  return reportOn(withoutCodes(table, codesOf(table, options)), options);
}

/** Of a table without codes for missing values. */
function reportOn(given: Table, options: InspectOptions): TableReport {
  const table = withoutBlankRows(given);
  const task = options.task ?? options.schema?.task;
  const target = options.target ?? options.schema?.target?.column;
  if (target !== undefined) table.column(target);
  const groups = typeof task === "string" ? namedGroups(table, task) : undefined;
  const { encoding, unexpected, refused, apart } = tryToFit(table, { ...options, task, target });
  const declaredTarget = options.schema?.target?.column === target;
  const use = (name: string) => {
    if (name === task) return THE_TASK;
    if (name === target) return useOfTarget(table, name, declaredTarget, encoding);
    return useOf(
      table,
      name,
      options.schema?.columns[name],
      apart.has(name) ? undefined : encoding,
    );
  };
  const features = new Set(encoding?.columnNames);
  const copies = new Set(target === undefined ? [] : targetCopies(table, [...features], target));
  const mayBePerTask = (name: string) => {
    const declared = options.schema?.columns[name];
    const isSaid = declared && "perTask" in declared && declared.declared !== false;
    return features.has(name) && !isSaid && !!groups && seemsPerTask(table.texts(name), groups);
  };
  const namesTasks = (name: string) =>
    features.has(name) &&
    !table.isNumeric(table.column(name)) &&
    !!groups &&
    namesTasksToo(table.texts(name), groups);
  const isNumber = (name: string) =>
    (features.has(name) || name === target) && table.isNumeric(table.column(name));
  return {
    name: table.name,
    rows: table.rows,
    blankRows: given.rows - table.rows,
    tasks: groups ? sizesOf(groups) : null,
    columns: table.columns.map(({ name }) => {
      const range = encoding?.rangeOf(name);
      const beyond = range ? countOutside(table.numbers(name), range) : 0;
      const held = unexpected.get(name)?.clipped ?? 0;
      const ends = beyond > 0 ? `; ${counted(beyond, "value")} outside it${heldText(held)}` : "";
      const codes = mayHaveCodes(table, name, options) ? suspiciousCodes(table, name) : [];
      return {
        ...figuresOf(table, name, groups),
        feature: features.has(name),
        mayBePerTask: mayBePerTask(name),
        namesTasks: namesTasks(name),
        tellsTarget: copies.has(name),
        longTail: isNumber(name) && hasLongTail(table.numbers(name)),
        outside: beyond,
        codes,
        use: use(name) + ends,
      };
    }),
    repeatedRows: repeatedRows(table),
    sparse: sparseOf(table),
    pooled: refused.length > 0 ? [] : (encoding?.pooled ?? []),
    refused,
  };
}

const countOutside = (values: Float64Array, [min, max]: Range) =>
  values.reduce((count, value) => count + Number(value < min || value > max), 0);

const heldText = (held: number) =>
  held > 0 ? `, of which ${held} too far: a fit takes ${held === 1 ? "it" : "them"} nearer` : "";

/** Rows by task, but for rows that name none: a fit refuses these, unless they have no target either. */
function namedGroups(table: Table, task: string): Groups {
  const named = Uint8Array.from(table.texts(task), (name) => Number(name !== ""));
  return groupRows(table, task, named.includes(1) ? named : undefined);
}

function sparseOf({ sparse }: Table): TableReport["sparse"] {
  if (!sparse) return null;
  const { first, count, rows } = sparse;
  return { first, count, entries: rows.values.length };
}

function sizesOf({ offsets, names }: Groups): NonNullable<TableReport["tasks"]> {
  const sizes = names.map((_, i) => offsets[i + 1]! - offsets[i]!).sort((a, b) => a - b);
  const middle = sizes.length / 2;
  const median = (sizes[Math.ceil(middle) - 1]! + sizes[Math.floor(middle)]!) / 2;
  return { count: sizes.length, fewest: sizes[0]!, median, most: sizes.at(-1)! };
}

function figuresOf(table: Table, name: string, groups: Groups | undefined) {
  const column = table.column(name);
  const texts = table.texts(name);
  const present = texts.filter((text) => text !== "");
  const distinct = new Set(present).size;
  return {
    name,
    holds: present.length === 0 ? "nothing" : table.isNumeric(column) ? "numbers" : "text",
    distinct,
    missing: texts.length - present.length,
    constant: new Set(texts).size === 1,
    constantWithinTasks: groups ? isConstantWithin(texts, groups) : null,
  } as const;
}
