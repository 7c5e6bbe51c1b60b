/**
 * From the table of a participant to the tasks of a plan.
 * @module
 */
import { TableEncoding, type Table, type TaskSet } from "../../data/index.js";
import type { Plan } from "../../federation/index.js";
import { boundByOptions } from "../bound-persons.js";
import type { JoinValues } from "../commands/join.js";

/** The table as the plan's tasks; remembers how its columns were read. */
export function taskReader(table: Table, values: JoinValues, participant: string) {
  let encoding: TableEncoding | undefined;
  const read = ({ features, classes, options }: Plan): TaskSet => {
    const { task, target, missing, person } = values;
    const kinds = Object.fromEntries([
      ...(values.categorical ?? []).map((name) => [name, "category"] as const),
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
      ...selected,
    });
    return boundByOptions(encoding.apply(table).tasks, options).tasks;
  };
  return { read, encoding: () => encoding!.toJSON() };
}
