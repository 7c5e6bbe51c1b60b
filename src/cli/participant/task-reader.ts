/**
 * From the table of a participant, whole or in pieces, to the tasks of a plan.
 * @module
 */
import { DataError } from "../../core/index.js";
import {
  momentsOfTables,
  TableEncoding,
  TaskMoments,
  type DataSchema,
  type FeatureKind,
  type FeatureNumbers,
  type StreamOptions,
  type Table,
  type TableEncodingState,
  type TableSchema,
  type TableStream,
  type TaskSet,
  type TaskSource,
} from "../../data/index.js";
import type { Plan } from "../../federation/index.js";
import { prepareData } from "../../federation/participant/data/participant-data.js";
import { boundByOptions } from "../tables/bound-persons.js";
import type { DataValues } from "../tables/data-options.js";
import { plannedColumns, plannedKind } from "./planned-columns.js";
import { readingSchema, type OwnWords } from "./reading-schema.js";

/** What was asked of the table. */
type TableValues = Pick<DataValues, "missing" | "person"> &
  Partial<Pick<DataValues, "sparse" | "missingCodes">> &
  OwnWords & { readonly task?: string | undefined };

/** What goes beside reading. */
interface Watch {
  /** Told once the plan is known to suit the columns. */
  readonly onSuits?: () => void;
  /** Ends reading. */
  readonly signal?: AbortSignal;
}

/** How a participant's table becomes the plan's tasks. */
export interface TaskReader {
  /** @throws DataError or OptionError naming what does not fit the plan. */
  read(plan: Plan, watch?: Watch): TaskSet | Promise<TaskSet>;
  /** How the columns were read, once they were. */
  encoding(): TableEncodingState;
}

/** The table as the plan's tasks; remembers how its columns were read. */
export function taskReader(table: Table, values: TableValues, participant: string) {
  let encoding: TableEncoding | undefined;
  const read = (plan: Plan, { onSuits }: Watch = {}): TaskSet => {
    encoding = TableEncoding.fit(table, plannedSchema(table, plan, values, participant));
    const { tasks } = boundByOptions(encoding.apply(table).tasks, plan.options);
    onSuits?.();
    return tasks;
  };
  return { read, encoding: () => encoding!.toJSON() } satisfies TaskReader;
}

/** What goes beside reading in pieces. */
interface PieceWatch extends Pick<StreamOptions, "onTable"> {
  /** Told how many rows there were. */
  readonly onRead: (rows: number) => void;
}

/**
 * The same of tables that come in pieces, of whose rows only the tasks' moments are kept.
 * @param open the pieces, from the first, which tells what columns there are: opened at once, so that whoever has no table is told before
 *   a plan is asked for, and again when it is known, since the file may have changed by then.
 */
export async function pieceReader(
  open: () => TableStream,
  values: TableValues,
  participant: string,
  { onRead, onTable }: PieceWatch,
): Promise<TaskReader> {
  let encoding: TableEncoding | undefined;
  await firstOf(open());
  const read = async (plan: Plan, { onSuits, signal }: Watch = {}) => {
    const first = await firstOf(open());
    const schema = plannedSchema(first, plan, values, participant);
    requireMomentsServe(first, schema, plan);
    signal?.throwIfAborted();
    onSuits?.();
    const streamed = await momentsOfTables(open(), schema, { signal, onTable });
    signal?.throwIfAborted();
    ({ encoding } = streamed);
    onRead(streamed.rows);
    return streamed.tasks;
  };
  return { read, encoding: () => encoding!.toJSON() };
}

/**
 * Holds the plan to what moments can answer by the first rows: all of them may take minutes.
 * @throws DataError naming what the plan asks for beside moments, or what of the rows does not suit it.
 */
function requireMomentsServe(first: Table, schema: TableSchema, plan: Plan): void {
  const applied = TableEncoding.fit(first, schema).applyToAny(first);
  if (!applied) return;
  const moments = new TaskMoments();
  moments.add(applied.tasks);
  prepareData(moments.tasks(), plan);
}

async function firstOf(tables: TableStream): Promise<Table> {
  for await (const table of tables) return table;
  throw new DataError("there is no table to read tasks from.");
}

/** What is to be read of a table, or of the first of its pieces, by the plan and by its owner's words. */
function plannedSchema(
  table: Table,
  plan: Plan,
  values: TableValues,
  participant: string,
): TableSchema {
  const { missing, person } = values;
  const { features, classes } = plan;
  const columns = table.sparse ? undefined : plannedColumns(table, plan);
  const schema = readingSchema(plan, table, columns ?? [], values);
  return {
    task: taskOf(),
    target: values.target ?? schema?.target?.column ?? "target",
    missing,
    ...(values.missingCodes ? { missingCodes: values.missingCodes } : {}),
    targetKind: classes ? "auto" : "number",
    kinds: kindsOf(columns ?? [], plan, schema, values),
    ...(schema ? { schema } : {}),
    ...(person === undefined ? {} : { person }),
    ...(values.sparse ? { sparse: true } : {}),
    ...(columns ? { features: columns } : { entries: entriesOf(features) }),
  };

  function taskOf(): TaskSource {
    const named = schema?.task;
    return values.task ?? (named !== undefined && table.has(named) ? named : { name: participant });
  }
}

/** What flags say, else the schema, else the plan's features; but a plan's schema before all. */
function kindsOf(
  columns: readonly string[],
  plan: Plan,
  schema: DataSchema | undefined,
  { categorical = [], hexPixels }: TableValues,
) {
  const kinds: Record<string, FeatureKind> = {};
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

/** The numbers of the plan's features: those of sparse rows are called x1, x2, ... */
function entriesOf(features: readonly string[]): FeatureNumbers {
  return { first: features[0] === "x0" ? 0 : 1, count: features.length };
}
