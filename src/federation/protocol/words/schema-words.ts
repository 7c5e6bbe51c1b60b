/**
 * The schema of a plan in words.
 * @module
 */
import type { ColumnDeclaration, TargetDeclaration } from "../../../data/index.js";
import { isUnused } from "../../../data/schema/schema.js";
import type { Plan } from "../plan/plan-form.js";

/** A line, if the plan has a schema: how every owner's columns are read. */
export function schemaWords({ schema }: Pick<Plan, "schema">): string[] {
  if (!schema) return [];
  const { target, columns } = schema;
  const parts = Object.entries(columns).flatMap(([name, declared]) =>
    isUnused(declared) ? [] : [`${name} ${kindWords(declared)}`],
  );
  if (target) parts.push(`the target ${target.column} ${kindWords(target)}`);
  return [`All owners' columns are read by the plan's schema: ${parts.join("; ")}.`];
}

function kindWords(
  declared: Exclude<ColumnDeclaration, { kind: "identifier" | "ignore" }> | TargetDeclaration,
): string {
  if (declared.kind !== "number") return `of ${declared.levels?.length ?? 0} levels`;
  const { range, unit } = declared;
  const size = range ? `from ${range[0]} to ${range[1]}` : "in raw units";
  return unit === undefined ? size : `${size} (${unit})`;
}
