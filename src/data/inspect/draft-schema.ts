/**
 * A draft of a table's schema file, for a person to complete and vouch for.
 * @module
 */
import { groupRows } from "../table/groups.js";
import { requireTable } from "../table/require-table.js";
import { observedLevels } from "../columns/categorical.js";
import type { NumberKind } from "../columns/column-encoding.js";
import { codesOf, codesHeld, withoutCodes } from "../schema/missing-codes.js";
import { hasSlips, lookOf } from "../columns/infer-kinds.js";
import type { InspectOptions } from "./inspect-table.js";
import { rowsWithTargets } from "../encode/rows-with-targets.js";
import { seemsPerTask } from "./signs/within-tasks.js";
import { SCHEMA_FORMAT, type ColumnDeclaration, type DataSchema } from "../schema/schema.js";
import { isEmpty } from "./signs/empty.js";
import type { Table } from "../table/table.js";

/**
 * Drafts a schema of a table, for a person to fill in and vouch for. A fit with the draft as it is does what it would do without:
 * what the data said is marked `"declared": false` and counts as learned from all tasks, and ranges are null, since those of
 * the data are not public. Only a column that holds nothing is left out by the draft, and not by a fit without. Columns that are the same in all rows of every task are drafted with "perTask", which is heeded
 * only once the mark is gone.
 *
 * Then a person writes the ranges that are publicly known, completes the levels, takes out what is so by chance, and removes the mark.
 *
 * @param table   as for {@link inspectTable}.
 * @param options task and target, if known, and what is known of other columns.
 * @returns a schema that {@link parseSchema} reads from its JSON.
 */
export function draftSchema(table: Table, options: InspectOptions = {}): DataSchema {
  requireTable(table);
  const codes = codesOf(table, options);
  const read = rowsWithTargets(withoutCodes(table, codes), { missing: "impute", ...options });
  // Codes that were said of all columns are written to those that have them.
  const said = (name: string) => {
    const held = Object.hasOwn(codes, name) ? codesHeld(table, name, codes[name]!) : [];
    return held.length > 0 ? { missingCodes: held } : {};
  };
  const task = options.task ?? options.schema?.task;
  const groups =
    typeof task === "string" && !read.hasGaps(task) ? groupRows(read, task) : undefined;
  const own = (name: string) =>
    groups && seemsPerTask(read.texts(name), groups) ? ({ perTask: true } as const) : {};
  const target = options.target ?? options.schema?.target?.column;
  const known = options.schema?.columns ?? {};
  const columns = read.columnNames.flatMap((name) => {
    if (name === task || name === target) return [];
    return [
      [
        name,
        Object.hasOwn(known, name)
          ? known[name]!
          : draftColumn(read, name, { ...said(name), ...own(name) }),
      ] as const,
    ];
  });
  return {
    ...SCHEMA_FORMAT,
    ...(typeof task === "string" ? { task } : {}),
    ...(target === undefined
      ? {}
      : {
          target: options.schema?.target ?? {
            column: target,
            ...draftTarget(read, target),
            ...said(target),
          },
        }),
    columns: Object.fromEntries(columns),
  };
}

/** Two values of any kind are classes, as where nothing is declared. */
function draftTarget(table: Table, name: string) {
  const levels = observedLevels(table, name);
  const isNumber = table.isNumeric(table.column(name))
    ? levels.length !== 2
    : hasSlips(table, name);
  return isNumber
    ? ({ kind: "number", range: null, declared: false, missing: "drop" } as const)
    : ({ kind: "category", levels, declared: false, missing: "drop" } as const);
}

function draftColumn(
  table: Table,
  name: string,
  found: Pick<NumberKind, "missingCodes" | "perTask">,
): ColumnDeclaration {
  if (name === table.index) return { kind: "identifier" };
  // Also while a few cells of it are refused: a person corrects these, and not a draft in which all its values are levels.
  const look = hasSlips(table, name) ? "number" : lookOf(table, name);
  if (look === "names" || isEmpty(table, name)) return { kind: "ignore", declared: false };
  const levels = observedLevels(table, name);
  // As numbers they are what dummies are already; on a declared range, absence would be as far from its middle as presence.
  const indicator = levels[0] === "0" && levels[1] === "1";
  const yesOrNo = levels.length === 2 && (indicator || table.hasGaps(name));
  if (look === "number" && !yesOrNo) {
    return { kind: "number", range: null, ...found, declared: false };
  }
  return {
    kind: levels.length === 2 ? "binary" : "category",
    levels,
    ...found,
    declared: false,
    unseen: "zeros",
    missing: table.hasGaps(name) ? "level" : "zeros",
  };
}
