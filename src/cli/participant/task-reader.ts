/**
 * From the table of a participant to the tasks of a plan.
 * @module
 */
import {
  TableEncoding,
  type FeatureKind,
  type FeatureNumbers,
  type Table,
  type TaskSet,
} from "../../data/index.js";
import type { Plan } from "../../federation/index.js";
import { boundByOptions } from "../bound-persons.js";
import type { DataValues } from "../data-options.js";

/** What was asked of the table. */
type TableValues = Pick<
  DataValues,
  "categorical" | "hexPixels" | "missing" | "person" | "sparse"
> & {
  readonly task: string | undefined;
  readonly target: string;
};

/** The table as the plan's tasks; remembers how its columns were read. */
export function taskReader(table: Table, values: TableValues, participant: string) {
  let encoding: TableEncoding | undefined;
  const read = ({ features, classes, options }: Plan): TaskSet => {
    const { task, target, missing, person } = values;
    const kinds: Record<string, FeatureKind> = Object.fromEntries([
      ...(values.categorical ?? []).map((name) => [name, categoryOf(name, features)] as const),
      ...(values.hexPixels === undefined ? [] : [[values.hexPixels, "hex-digits"] as const]),
    ]);
    // Features made of other columns have names of their own; the plan's are then held to the result.
    const selected = features.every((name) => table.columnNames.includes(name)) ? { features } : {};
    encoding = TableEncoding.fit(table, {
      task: task ?? { name: participant },
      target,
      targetKind: classes ? "auto" : "number",
      kinds,
      missing,
      ...(person === undefined ? {} : { person }),
      ...(values.sparse ? { sparse: true } : {}),
      ...(table.sparse ? { entries: entriesOf(features) } : selected),
    });
    return boundByOptions(encoding.apply(table).tasks, options).tasks;
  };
  return { read, encoding: () => encoding!.toJSON() };
}

/**
 * A category of the levels that the plan's features name, so that a participant whose rows have only some of them has
 * the same features; of its own levels where the plan names none.
 */
function categoryOf(column: string, features: readonly string[]): FeatureKind {
  const levels = features.flatMap((name) =>
    name.startsWith(`${column}=`) ? [name.slice(column.length + 1)] : [],
  );
  if (levels.length === 0) return "category";
  // "missing" is what the feature of missing values is called.
  const declared = levels.filter((level) => level !== "missing");
  return {
    kind: "category",
    levels: declared,
    missing: declared.length < levels.length ? "level" : "refuse",
  };
}

/** The numbers of the plan's features: those of sparse rows are called x1, x2, ... */
function entriesOf(features: readonly string[]): FeatureNumbers {
  return { first: features[0] === "x0" ? 0 : 1, count: features.length };
}
