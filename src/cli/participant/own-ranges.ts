/**
 * That a participant's own schema file, if it gives one, says of the plan's columns what the plan's schema says.
 * @module
 */
import { DataError } from "../../core/index.js";
import type { ColumnDeclaration, DataSchema, TargetDeclaration } from "../../data/index.js";
import { isUnused } from "../../data/schema/schema.js";
import { canonicalJson } from "../../federation/protocol/plan/plan-hash.js";
import { plainColumn, plainTarget } from "../../federation/protocol/plan/plan-schema.js";

/** What a column is declared to be. */
type Declaration = ColumnDeclaration | TargetDeclaration;

/**
 * @param columns the columns that the plan's features are made of.
 * @param file the name of the schema file.
 * @throws DataError naming the first column that differs: what the plan has, what the file has, what to do.
 */
export function requireSameRanges(
  planned: DataSchema,
  own: DataSchema,
  columns: readonly string[],
  file: string,
): void {
  for (const column of columns) {
    const of = ({ columns: all }: DataSchema) =>
      Object.hasOwn(all, column) ? plainColumn(all[column]!) : undefined;
    const marked = Object.hasOwn(own.columns, column) && own.columns[column]!.declared === false;
    requireSame(`column ${JSON.stringify(column)}`, of(planned), of(own), marked, file);
  }
  if (!planned.target && !own.target) return;
  // Owners may call the target as they like.
  const of = (target: TargetDeclaration | undefined) =>
    target && plainTarget({ ...target, column: planned.target?.column ?? target.column });
  const marked = own.target?.declared === false;
  requireSame("target", of(planned.target), of(own.target), marked, file);
}

/** @param marked whether the file says that rows told it: then no message may hold it. */
function requireSame(
  where: string,
  planned: Declaration | undefined,
  own: Declaration | undefined,
  marked: boolean,
  file: string,
): void {
  const [expected, found] = [planned, own].map(text);
  if (expected === found) return;
  throw new DataError(
    `--ranges ${file}: ${where}: the plan's schema has ${expected}, this file ${marked ? 'what rows told ("declared": false)' : found}. ` +
      "Leave --ranges out, since rows are read by the plan's schema, or have its curator make another plan",
  );
}

const text = (declared: Declaration | undefined): string =>
  !declared || (isUnused(declared as ColumnDeclaration) && !("column" in declared))
    ? "nothing of it"
    : canonicalJson(declared);
