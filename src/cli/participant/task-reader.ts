/**
 * From the table of a participant to the tasks of a plan.
 * @module
 */
import {
  TableEncoding,
  type DataSchema,
  type FeatureKind,
  type FeatureNumbers,
  type Table,
  type TaskSet,
  type TaskSource,
} from "../../data/index.js";
import type { Plan } from "../../federation/index.js";
import { boundByOptions } from "../tables/bound-persons.js";
import type { DataValues } from "../tables/data-options.js";
import { plannedColumns, plannedKind } from "./planned-columns.js";
import { readingSchema, type OwnWords } from "./reading-schema.js";

/** What was asked of the table. */
type TableValues = Pick<DataValues, "missing" | "person"> &
  Partial<Pick<DataValues, "sparse" | "missingCodes">> &
  OwnWords & { readonly task?: string | undefined };

/** The table as the plan's tasks; remembers how its columns were read. */
export function taskReader(table: Table, values: TableValues, participant: string) {
  let encoding: TableEncoding | undefined;
  const { missing, person } = values;
  const read = (plan: Plan): TaskSet => {
    const { features, classes, options } = plan;
    const columns = table.sparse ? undefined : plannedColumns(table, plan);
    const schema = readingSchema(plan, table, columns ?? [], values);
    encoding = TableEncoding.fit(table, {
      task: taskOf(schema),
      target: values.target ?? schema?.target?.column ?? "target",
      missing,
      ...(values.missingCodes ? { missingCodes: values.missingCodes } : {}),
      targetKind: classes ? "auto" : "number",
      kinds: kindsOf(columns ?? [], plan, schema),
      ...(schema ? { schema } : {}),
      ...(person === undefined ? {} : { person }),
      ...(values.sparse ? { sparse: true } : {}),
      ...(columns ? { features: columns } : { entries: entriesOf(features) }),
    });
    return boundByOptions(encoding.apply(table).tasks, options).tasks;
  };
  return { read, encoding: () => encoding!.toJSON() };

  function taskOf(schema: DataSchema | undefined): TaskSource {
    const named = schema?.task;
    return values.task ?? (named !== undefined && table.has(named) ? named : { name: participant });
  }

  /** What flags say, else the schema, else the plan's features; but a plan's schema before all. */
  function kindsOf(columns: readonly string[], plan: Plan, schema: DataSchema | undefined) {
    const kinds: Record<string, FeatureKind> = {};
    const { categorical = [], hexPixels } = values;
    for (const column of columns) {
      const isDeclared = schema !== undefined && Object.hasOwn(schema.columns, column);
      if (plan.schema && isDeclared) continue;
      const planned = plannedKind(column, plan.features);
      if (planned && !isDeclared) kinds[column] = planned;
      else if (categorical.includes(column)) kinds[column] = "category";
    }
    if (hexPixels !== undefined) kinds[hexPixels] = "hex-digits";
    return kinds;
  }
}

/** The numbers of the plan's features: those of sparse rows are called x1, x2, ... */
function entriesOf(features: readonly string[]): FeatureNumbers {
  return { first: features[0] === "x0" ? 0 : 1, count: features.length };
}
