/**
 * Which columns of a table the features of a plan are made of.
 * @module
 */
import { array, object } from "../../../core/checks.js";
import type { DataSchema } from "../../../data/index.js";
import { declaredColumns } from "../../../data/schema/declared-encoding.js";
import type { Plan } from "./plan-form.js";

/**
 * The columns that a plan's features are made of, by its schema, in the plan's order and each once; without a schema the
 * features are taken for columns.
 * @example
 * const tasks = tasksFromTable(table, { schema: plan.schema, features: featureColumns(plan) }).tasks;
 */
export function featureColumns(plan: Pick<Plan, "features" | "schema">): string[] {
  const { features, schema } = object("plan", plan);
  array("features", features);
  const declared = schema && columnsByFeature(schema);
  return [...new Set(features.map((feature) => declared?.get(feature) ?? feature))];
}

/** The column that each feature of a schema is made of. */
export function columnsByFeature(schema: DataSchema): Map<string, string> {
  return new Map(
    declaredColumns(schema).flatMap(({ column, features }) =>
      features.map((feature) => [feature, column] as const),
    ),
  );
}
