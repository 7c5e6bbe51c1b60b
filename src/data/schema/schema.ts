/**
 * The schema file: what is publicly known of a table's columns, declared by people before anyone looks at
 * the data. JSON, as `--ranges` reads it and `inspect --out` drafts it.
 * @module
 */
import { isObject } from "../../core/is-object.js";
import { DataError } from "../../core/errors.js";
import { checkFormat, type FileFormat } from "../../core/file-format.js";
import { didYouMean } from "../../core/messages/nearest.js";
import { someNames } from "../../core/messages/some-names.js";
import type { CategoryKind, NumberKind } from "../columns/column-encoding.js";
import { checkLimits, type Limits } from "../columns/limits.js";
import { checkRange, type Range } from "../columns/scale.js";

/** Name and version of the schema file's layout. */
export const SCHEMA_FORMAT: FileFormat = { format: "mp-mtl-schema", version: 1 };

/** A feature; or a column that is none: "identifier" names rows and is carried through by predict. */
export type ColumnDeclaration = NumberKind | CategoryKind | UnusedColumn;

/** A column that is no feature. */
export interface UnusedColumn {
  readonly kind: "identifier" | "ignore";
  /** false: the data said so, which counts as pooled. Default true. */
  readonly declared?: boolean;
}

/** Whether a column is declared to be no feature. */
export const isUnused = (column: ColumnDeclaration): column is UnusedColumn =>
  column.kind === "ignore" || column.kind === "identifier";

/** The target: a number, or labels in order (of two, the second is the positive one). */
export type TargetDeclaration =
  | (Pick<NumberKind, "kind" | "range" | "unit" | "outside" | "missingCodes" | "declared"> & {
      /** Name of the target's column. */
      readonly column: string;
      /** What the target cannot be less or more than by its meaning: values beyond are errors, and no prediction is; with a range only. */
      readonly limits?: Limits;
      /** Rows without a target: refused, or left out. Default: by the schema's `missing`. */
      readonly missing?: "refuse" | "drop";
    })
  | {
      /** Name of the target's column. */
      readonly column: string;
      /** The cells are labels. */
      readonly kind: "category";
      /** The labels, in the order in which models number them; absent: those that occur, which is learned from all tasks. */
      readonly levels?: readonly (string | number)[];
      /** What a cell holds where the label is missing; by default what the table's schema says of all columns. */
      readonly missingCodes?: readonly (string | number)[];
      /** false: the levels were taken from the data, and count as pooled. Default true. */
      readonly declared?: boolean;
      /** Rows without a label: refused, or left out. Default: by the schema's `missing`. */
      readonly missing?: "refuse" | "drop";
    };

/** What a schema file says. */
export interface DataSchema {
  /** Column with each row's task. */
  readonly task?: string;
  /** The target; absent where the file does not say. */
  readonly target?: TargetDeclaration;
  /** By column name. */
  readonly columns: Readonly<Record<string, ColumnDeclaration>>;
}

const MEMBERS = {
  number: ["kind", "range", "unit", "outside", "missing", "missingCodes", "perTask", "declared"],
  category: ["kind", "levels", "unseen", "missing", "missingCodes", "perTask", "declared"],
  binary: ["kind", "levels", "unseen", "missing", "missingCodes", "perTask", "declared"],
  identifier: ["kind", "declared"],
  ignore: ["kind", "declared"],
} as const;

const MISSING = {
  number: ["refuse", "task-mean", "level", "drop"],
  category: ["refuse", "level", "drop", "zeros"],
  binary: ["refuse", "level", "drop", "zeros"],
  identifier: [],
  ignore: [],
} as const;

type Json = Readonly<Record<string, unknown>>;

function refuse(where: string, expected: string): never {
  throw new DataError(`${where}: expected ${expected}.`);
}

function checkMembers(where: string, found: Json, allowed: readonly string[]): void {
  const unknown = Object.keys(found).find((name) => !allowed.includes(name));
  if (unknown === undefined) return;
  throw new DataError(
    `${where}: the member ${JSON.stringify(unknown)} is not known here; there are ${allowed.map((name) => JSON.stringify(name)).join(", ")}.` +
      didYouMean(unknown, allowed),
  );
}

function checkWord(where: string, found: unknown, words: readonly string[], other = ""): void {
  if (found === undefined || words.includes(found as string)) return;
  refuse(where, `one of ${words.join(", ")}${other}`);
}

function checkLevels(where: string, levels: unknown): void {
  if (levels === undefined) return;
  if (Array.isArray(levels) && levels.length > 0 && levels.every(isTextOrNumber)) return;
  refuse(where, "a list of texts or numbers");
}

const isTextOrNumber = (value: unknown) =>
  (typeof value === "string" && value !== "") || Number.isFinite(value);

/** @param found an empty list says that there are none. */
function checkCodes(where: string, found: unknown, levels: unknown): void {
  if (found === undefined) return;
  if (!Array.isArray(found) || !found.every(isTextOrNumber)) {
    refuse(where, "a list of texts or numbers");
  }
  const known = new Set(Array.isArray(levels) ? levels.map(String) : []);
  if (found.some((code) => known.has(String(code)))) refuse(where, "none of the levels");
}

/** Checks what all kinds have in common. */
function checkColumn(where: string, found: unknown): ColumnDeclaration {
  if (!isObject(found)) refuse(where, '{ "kind": ... }');
  const kinds = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[];
  const kind = kinds.find((name) => name === found["kind"]);
  if (kind === undefined) refuse(`${where}: kind`, `one of ${kinds.join(", ")}`);
  checkMembers(where, found, MEMBERS[kind]);
  const { range, unit, outside, missing, missingCodes, levels, unseen, perTask, declared } = found;
  if (range !== undefined && range !== null) checkRange(`${where}: range`, range);
  if (unit !== undefined && typeof unit !== "string") refuse(`${where}: unit`, "a text");
  checkWord(`${where}: outside`, outside, ["keep", "clip", "refuse"]);
  checkWord(`${where}: unseen`, unseen, ["refuse", "zeros"]);
  checkLevels(`${where}: levels`, levels);
  checkCodes(`${where}: "missingCodes"`, missingCodes, levels);
  checkYesNo(`${where}: perTask`, perTask);
  checkYesNo(`${where}: declared`, declared);
  if (isObject(missing)) checkMembers(`${where}: missing`, missing, ["value"]);
  else checkWord(`${where}: missing`, missing, MISSING[kind], ', or { "value": ... }');
  return found as unknown as ColumnDeclaration;
}

function checkYesNo(where: string, found: unknown): void {
  if (found !== undefined && typeof found !== "boolean") refuse(where, "true or false");
}

function checkTarget(where: string, found: unknown): TargetDeclaration {
  if (!isObject(found)) refuse(where, '{ "column": ..., "kind": ... }');
  const { column, missing, limits, ...rest } = found;
  if (typeof column !== "string") refuse(`${where}: column`, "the name of a column");
  checkWord(`${where}: kind`, rest["kind"] ?? "", ["number", "category"]);
  checkWord(`${where}: missing`, missing, ["refuse", "drop"]);
  checkColumn(where, rest);
  if (limits !== undefined) {
    if (rest["kind"] !== "number") refuse(where, "no limits, which are of numbers");
    checkLimits(`${where}: limits`, limits, (rest["range"] ?? undefined) as Range | undefined);
  }
  if ("unseen" in rest) refuse(where, "no unseen; a label that was not declared is refused");
  if ("perTask" in rest) refuse(where, "no perTask, which is of features");
  return found as unknown as TargetDeclaration;
}

/** Members of a schema. */
const TOP = ["format", "version", "task", "target", "columns"];

/** What has no format: other members, which may well be columns, are named first. */
function refuseUnmarked(name: string, found: Json): never {
  const others = Object.keys(found).filter((member) => !TOP.includes(member));
  const columns =
    others.length > 0 ? `{ ${JSON.stringify(others[0])}: { "kind": ... }, ... }` : "...";
  const where = others.length > 0 ? `${name}: ${someNames(others)}` : name;
  refuse(
    where,
    `${others.length > 0 ? "columns inside " : ""}{ "format": "${SCHEMA_FORMAT.format}", "version": ${SCHEMA_FORMAT.version}, ` +
      `"target": ..., "columns": ${columns} }, as inspect --out drafts it (in code draftSchema)`,
  );
}

/**
 * A schema from its JSON.
 *
 * @param found what `JSON.parse` gave.
 * @param name  of the file, for messages.
 * @throws DataError naming the column and member that is not as expected.
 */
export function parseSchema(found: unknown, name = "schema"): DataSchema {
  if (!isObject(found)) refuse(name, "an object");
  if (!("format" in found)) refuseUnmarked(name, found);
  checkFormat(name, found, SCHEMA_FORMAT);
  checkMembers(name, found, TOP);
  const { task, target, columns = {} } = found;
  if (task !== undefined && typeof task !== "string") refuse(`${name}: task`, "a column's name");
  if (!isObject(columns)) refuse(`${name}: columns`, "an object by column name");
  const checked = Object.entries(columns).map(
    ([column, declared]) =>
      [column, checkColumn(`${name}: column ${JSON.stringify(column)}`, declared)] as const,
  );
  return {
    ...(task === undefined ? {} : { task }),
    ...(target === undefined ? {} : { target: checkTarget(`${name}: target`, target) }),
    columns: Object.fromEntries(checked),
  };
}
