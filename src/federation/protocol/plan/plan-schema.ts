/**
 * The schema of a plan: what is publicly known of the columns, by which all owners read their tables.
 *
 * It is kept in one form, however its file was written: what a default says is left out, levels are texts as cells spell them,
 * what a category does about missing values is said, and columns that are ignored are not there, since the plan names its
 * features. What rows told is refused: a plan is shown to all.
 * @module
 */
import { DataError, OptionError } from "../../../core/index.js";
import {
  parseSchema,
  SCHEMA_FORMAT,
  type ColumnDeclaration,
  type TargetDeclaration,
} from "../../../data/index.js";
import { canonicalLevel } from "../../../data/columns/categorical.js";
import { declaredColumns } from "../../../data/schema/declared-encoding.js";
import { isUnused } from "../../../data/schema/schema.js";
import { labelTexts } from "../../../data/schema/target-column.js";
import { canonicalJson } from "./plan-hash.js";
import type { PlannedSchema } from "./plan-form.js";

/** Most characters of a plan's schema: the plan is kept by every party, and shown to people. */
export const MOST_SCHEMA = 2 ** 20;

/**
 * The one form of a schema, for a plan.
 * @param input a schema with or without its file's first two members.
 * @throws OptionError naming the column and member that is not as expected, was taken from rows, or a schema that is too long.
 */
export function plannedSchema(input: unknown): PlannedSchema {
  try {
    const { task, target, columns } = parseSchema(asFile(input), "schema");
    const schema: PlannedSchema = {
      ...SCHEMA_FORMAT,
      ...(task === undefined ? {} : { task }),
      ...(target ? { target: vouchedFor("target", target, plainTarget(target)) } : {}),
      columns: Object.fromEntries(
        Object.entries(columns).flatMap(([name, declared]) => {
          if (declared.kind === "ignore") return [];
          const plain = plainColumn(declared);
          return [[name, vouchedFor(`column ${JSON.stringify(name)}`, declared, plain)]];
        }),
      ),
    };
    declaredColumns(schema);
    const { length } = canonicalJson(schema);
    if (length > MOST_SCHEMA) {
      throw new DataError(`schema: expected at most ${MOST_SCHEMA} characters, got ${length}`);
    }
    return schema;
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    const where = error.message.startsWith("schema") ? "" : "schema: ";
    throw new OptionError(`plan: ${where}${error.message}`, { cause: error });
  }
}

const asFile = (input: unknown): unknown =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? { ...SCHEMA_FORMAT, ...input }
    : input;

/** The declaration in its one form, if people said it. */
function vouchedFor<T>(where: string, { declared }: { readonly declared?: boolean }, plain: T): T {
  if (declared !== false) return plain;
  throw new DataError(
    `schema: ${where}: "declared": false says that rows told it, and a plan tells it to everyone; write what is publicly known ` +
      "and take the mark away",
  );
}

/** A column's declaration without what a default says. */
export function plainColumn(declared: ColumnDeclaration): ColumnDeclaration {
  if (declared.kind === "number") {
    const { kind, range, unit, outside, missing, missingCodes, perTask } = declared;
    return {
      kind,
      ...(range ? { range } : {}),
      ...(unit === undefined ? {} : { unit }),
      ...(outside === undefined || outside === "keep" ? {} : { outside }),
      ...(missing === undefined ? {} : { missing }),
      ...codesIn(missingCodes),
      ...(perTask ? { perTask } : {}),
    };
  }
  if (isUnused(declared)) return { kind: declared.kind };
  const { kind, levels, unseen, missing = "refuse", missingCodes, perTask } = declared;
  return {
    kind,
    ...(levels ? { levels: levels.map(text) } : {}),
    ...(unseen === "zeros" ? { unseen } : {}),
    missing: typeof missing === "object" ? { value: text(missing.value) } : missing,
    ...codesIn(missingCodes),
    ...(perTask ? { perTask } : {}),
  };
}

const text = (level: string | number) => canonicalLevel(String(level));

/** Codes for missing values in their one form; no code is what a default says. */
const codesIn = (codes: readonly (string | number)[] = []) =>
  codes.length > 0 ? { missingCodes: [...new Set(codes.map(text))].sort() } : {};

/** The target's declaration without what a default says. */
export function plainTarget(declared: TargetDeclaration): TargetDeclaration {
  const { column, missing, missingCodes } = declared;
  const gaps = { ...(missing === undefined ? {} : { missing }), ...codesIn(missingCodes) };
  if (declared.kind === "category") {
    const { kind, levels } = declared;
    return { column, kind, ...(levels ? { levels: labelTexts(column, levels) } : {}), ...gaps };
  }
  const { kind, range, unit, outside, limits } = declared;
  return {
    ...plainColumn({ kind, range, unit, outside } as ColumnDeclaration),
    column,
    ...(limits ? { limits } : {}),
    ...gaps,
  } as never;
}
