/**
 * Whether a fit would take a table, and every reason why not: whoever mends a file wants to know all of them at once.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { hasSlips, lookOf } from "../columns/infer-kinds.js";
import { TableEncoding } from "../encode/table-encoding.js";
import { unexpectedByColumn } from "../encode/unexpected-values.js";
import { isUnused } from "../schema/schema.js";
import type { TableSchema } from "../schema/table-schema.js";
import type { Table } from "../table/table.js";

/** What is known of the roles so far. */
export type Known = Omit<TableSchema, "targetKind" | "task" | "target"> & {
  readonly task: TableSchema["task"] | undefined;
  readonly target: string | undefined;
};

/** What a fit would make of a table. */
export interface Trial {
  /** Of the columns that fit; undefined where none does, and where task or target are not known, or at fault. */
  readonly encoding: TableEncoding | undefined;
  readonly unexpected: ReturnType<typeof unexpectedByColumn>;
  readonly refused: readonly string[];
  /** Columns because of which a fit would refuse the table. */
  readonly apart: ReadonlySet<string>;
}

type Schema = TableSchema & {
  readonly task: NonNullable<TableSchema["task"]>;
  readonly target: string;
};

/** Of more cells, only what the trial of all columns tells is said: each by itself would take too long. */
const MOST_CELLS = 2e7;

/** Tries all columns together, and each by itself where that is refused. */
export function tryToFit(table: Table, { task, target, ...rest }: Known): Trial {
  const none = {
    encoding: undefined,
    unexpected: new Map(),
    refused: [],
    apart: new Set<string>(),
  };
  if (task === undefined || target === undefined) return none;
  const schema: Schema = { undeclared: "auto", missing: "impute", ...rest, task, target };
  const whole = attempt(table, schema);
  if (whole.encoding) return { ...none, ...whole, refused: [] };
  const listed = columnsOf(table, schema);
  const columns = listed.length * table.rows > MOST_CELLS ? [] : listed;
  const alone = columns.map(
    (name) => [name, attempt(table, withFeatures(schema, [name]))] as const,
  );
  const found = alone.flatMap(([, { refusal }]) => (refusal === undefined ? [] : [refusal]));
  const fine = alone.filter(([, { encoding }]) => encoding).map(([name]) => name);
  const apart = new Set(columns.filter((name) => !fine.includes(name)));
  const others =
    fine.length > 0 && found.length > 0 ? attempt(table, withFeatures(schema, fine)) : none;
  return {
    encoding: others.encoding,
    unexpected: others.unexpected,
    refused: found.length > 0 ? [...new Set(found)] : [whole.refusal!],
    // Where task or target are at fault, no column is.
    apart: fine.length > 0 ? apart : new Set(),
  };
}

function attempt(table: Table, schema: Schema) {
  let unexpected: Trial["unexpected"] = new Map();
  try {
    const encoding = TableEncoding.fit(table, schema);
    unexpected = unexpectedByColumn(encoding.apply(table).unexpected);
    return { encoding, unexpected, refusal: undefined };
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    return { encoding: undefined, unexpected, refusal: error.message };
  }
}

const withFeatures = (schema: Schema, features: readonly string[]): Schema => ({
  ...schema,
  features,
  kinds: Object.fromEntries(
    Object.entries(schema.kinds ?? {}).filter(([name]) => features.includes(name)),
  ),
});

/** Columns that a fit would take for features, or refuse. */
function columnsOf(
  table: Table,
  { task, target, features, kinds, schema, person, weights }: Schema,
) {
  const declared = { ...schema?.columns, ...kinds };
  const roles = new Set<unknown>([task, target, person, weights, table.index]);
  if (features) return features.filter((name) => table.has(name) && !roles.has(name));
  return table.columnNames.filter((name) => {
    if (roles.has(name)) return false;
    const own = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (own !== undefined) return typeof own === "string" || !isUnused(own);
    return lookOf(table, name) !== "names" || hasSlips(table, name);
  });
}
