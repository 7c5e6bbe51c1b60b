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
} from "../../data/index.js";
import type { Plan } from "../../federation/index.js";
import { boundByOptions } from "../bound-persons.js";
import type { DataValues } from "../data-options.js";
import { plannedColumns, plannedKind } from "./planned-columns.js";

/** What was asked of the table. */
type TableValues = Pick<
  DataValues,
  "categorical" | "hexPixels" | "missing" | "person" | "sparse"
> & {
  readonly task: string | undefined;
  readonly target: string | undefined;
  /** What is publicly known of the columns. */
  readonly schema?: DataSchema | undefined;
};

/** The table as the plan's tasks; remembers how its columns were read. */
export function taskReader(table: Table, values: TableValues, participant: string) {
  let encoding: TableEncoding | undefined;
  const { missing, person, schema } = values;
  const target = values.target ?? schema?.target?.column ?? "target";
  const named = values.task ?? schema?.task;
  const task =
    values.task ?? (named !== undefined && table.has(named) ? named : { name: participant });
  const read = ({ features, classes, options }: Plan): TaskSet => {
    const columns = table.sparse ? undefined : plannedColumns(table, features);
    encoding = TableEncoding.fit(table, {
      ...{ task, target, missing },
      targetKind: classes ? "auto" : "number",
      kinds: kindsOf(columns ?? [], features),
      ...(schema ? { schema } : {}),
      ...(person === undefined ? {} : { person }),
      ...(values.sparse ? { sparse: true } : {}),
      ...(columns ? { features: columns } : { entries: entriesOf(features) }),
    });
    return boundByOptions(encoding.apply(table).tasks, options).tasks;
  };
  return { read, encoding: () => encoding!.toJSON() };

  /** What flags say, else the schema, else the plan. */
  function kindsOf(columns: readonly string[], features: readonly string[]) {
    const kinds: Record<string, FeatureKind> = {};
    const { categorical = [], hexPixels } = values;
    for (const column of columns) {
      const planned = plannedKind(column, features);
      if (planned && !schema?.columns[column]) kinds[column] = planned;
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
