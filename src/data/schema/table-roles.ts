/**
 * Which column of a table is the task, the target, a feature: from what was declared, and else by looking.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { Refusals } from "../../core/messages/refusals.js";
import { observedLevels } from "../columns/categorical.js";
import type { CategoryKind, FeatureKind, Missing } from "../columns/column-encoding.js";
import type { TaskSource } from "../table/groups.js";
import { asCategory, lookOf, refuseSlips } from "../columns/infer-kinds.js";
import { isUnused, type ColumnDeclaration } from "./schema.js";
import type { Table } from "../table/table.js";
import type { TableSchema } from "./table-schema.js";
import type { TargetRequest } from "./target-column.js";
import { someNames } from "../../core/messages/some-names.js";

/** One feature column, and what was declared of it. */
export interface FeatureColumn {
  readonly name: string;
  readonly kind: FeatureKind | undefined;
}

/** The roles of all columns. */
export interface TableRoles {
  readonly task: TaskSource;
  readonly missing: Missing;
  readonly person?: string;
  readonly weights?: string;
  readonly target: TargetRequest;
  readonly features: readonly FeatureColumn[];
  readonly identifiers: readonly string[];
  /** In words, what was decided by looking at all rows. */
  readonly decided: readonly string[];
}

/**
 * @throws DataError for an unknown column (listing what there is), a column in two roles, a column of
 *         numbers with a slip.
 */
export function resolveRoles(table: Table, request: TableSchema): TableRoles {
  const { kinds = {}, missing = "refuse", schema } = request;
  const task = request.task ?? schema?.task;
  const target = request.target ?? schema?.target?.column;
  if (task === undefined)
    throw new DataError("task: name the column with each row's task (--task).");
  if (target === undefined)
    throw new DataError("target: name the column with the target (--target).");
  const columns = schema?.columns ?? {};
  const role = (kind: string) =>
    Object.keys(columns).filter((name) => columns[name]!.kind === kind && name !== task);
  const identifiers = role("identifier");
  const { person, weights } = request;
  const others = [task, target, ...(request.features ?? [])];
  if (person !== undefined) checkApart(table, person, "whose row each is", others);
  if (weights !== undefined) checkApart(table, weights, "the weights of rows", [...others, person]);
  const apart = new Set<unknown>([
    task,
    target,
    person,
    weights,
    table.index,
    ...identifiers,
    ...role("ignore"),
  ]);
  const names = request.features ?? table.columnNames.filter((name) => !apart.has(name));
  checkRoles(table, task, target, names, Object.keys(kinds));
  if (schema?.target) table.column(schema.target.column);
  for (const name of Object.keys(columns)) {
    if (asFeature(columns, name) !== undefined) table.column(name);
  }
  const declared = (name: string) =>
    Object.hasOwn(kinds, name) ? kinds[name] : asFeature(columns, name);
  const { features, decided } = lookAround(table, names, declared, request);
  const leftOut = Object.keys(columns).filter((name) => {
    const column = columns[name]!;
    return isUnused(column) && column.declared === false;
  });
  if (leftOut.length > 0) {
    decided.push(`leaving out the columns ${someNames(leftOut)}, by looking at all tasks' rows`);
  }
  const ownTarget = schema?.target?.column === target ? schema.target : undefined;
  return {
    task,
    missing,
    ...(person === undefined ? {} : { person }),
    ...(weights === undefined ? {} : { weights }),
    target: { column: target, kind: request.targetKind ?? "auto", declared: ownTarget },
    features,
    identifiers,
    decided,
  };
}

function asFeature(
  columns: Readonly<Record<string, ColumnDeclaration>>,
  name: string,
): FeatureKind | undefined {
  const found = Object.hasOwn(columns, name) ? columns[name] : undefined;
  return found === undefined || isUnused(found) ? undefined : found;
}

/** Looks at the columns of which nothing was declared. */
function lookAround(
  table: Table,
  names: readonly string[],
  declared: (name: string) => FeatureKind | undefined,
  { features: named, undeclared = "number", missing = "refuse" }: TableSchema,
): { features: FeatureColumn[]; decided: string[] } {
  const features: FeatureColumn[] = [];
  const looked: string[] = [];
  const refusals = new Refusals();
  for (const name of names) {
    const kind = declared(name);
    if (kind !== undefined) {
      // Of a category that was only named, its levels are looked at, and so is whether it has gaps.
      const look = kind === "category" && undeclared === "auto";
      features.push({ name, kind: look ? { kind, missing: gapsOf(table, name, missing) } : kind });
      continue;
    }
    looked.push(name);
    if (undeclared === "number") {
      features.push({ name, kind });
      continue;
    }
    refusals.of(() => refuseSlips(table, name, asCategory(name)));
    const look = lookOf(table, name);
    if (look === "category") features.push({ name, kind: categoryOf(table, name, missing) });
    else if (look === "number" || named) features.push({ name, kind: undefined });
  }
  refusals.throwAny();
  if (features.length === 0 && !table.sparse) {
    throw new DataError(
      `${table.name}: no column is left as a feature: ${someNames(names)} ${names.length === 1 ? "holds" : "hold"} text of too many ` +
        "different values. What of each, mp-mtl inspect says.",
    );
  }
  const what =
    undeclared === "auto"
      ? "kinds of the columns"
      : "whether there are two values and gaps in the columns";
  const decides = looked.length > 0 && (undeclared === "auto" || missing === "impute");
  return {
    features,
    decided: decides ? [`${what} ${someNames(looked)}, found by looking at all tasks' rows`] : [],
  };
}

function checkApart(table: Table, name: string, what: string, others: readonly unknown[]): void {
  table.column(name);
  if (!others.includes(name)) return;
  throw new DataError(
    `column ${JSON.stringify(name)} cannot be both ${what} and the task, the target or a feature.`,
  );
}

/** A column of text as it looks. */
const categoryOf = (table: Table, name: string, missing: Missing): CategoryKind => ({
  kind: observedLevels(table, name).length === 2 ? "binary" : "category",
  unseen: "zeros",
  missing: gapsOf(table, name, missing),
});

/** What gaps of a category become: a column of their own where there are some. */
function gapsOf(table: Table, name: string, missing: Missing) {
  if (!table.hasGaps(name)) return "zeros";
  return missing === "refuse" ? "refuse" : "level";
}

function checkRoles(
  table: Table,
  task: TaskSource,
  target: string,
  features: readonly string[],
  declared: readonly string[],
): void {
  if (typeof task === "string") table.column(task);
  table.column(target);
  if (task === target) {
    throw new DataError(`column ${JSON.stringify(task)} cannot be both the task and the target.`);
  }
  if (features.length === 0 && !table.sparse) {
    throw new DataError(`${table.name} has no feature columns.`);
  }
  const seen = new Set<string>();
  for (const name of features) {
    table.column(name);
    const quoted = JSON.stringify(name);
    if (name === task || name === target) {
      throw new DataError(`column ${quoted} cannot be a feature: it is the task or the target.`);
    }
    if (seen.has(name)) throw new DataError(`column ${quoted} is listed twice as a feature.`);
    seen.add(name);
  }
  for (const name of declared) {
    table.column(name);
    if (seen.has(name)) continue;
    throw new DataError(`kinds: column ${JSON.stringify(name)} is not among the features.`);
  }
}
