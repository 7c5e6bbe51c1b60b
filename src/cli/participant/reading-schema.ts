/**
 * By which schema a participant's table is read: the plan's, where it has one, else the owner's.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { DataSchema, Table } from "../../data/index.js";
import { isUnused } from "../../data/schema/schema.js";
import type { Plan } from "../../federation/index.js";
import { requireSameRanges } from "./own-ranges.js";

/** What the owner says of the table. */
export interface OwnWords {
  /** What its schema file says, and the file's name. */
  readonly schema?: DataSchema | undefined;
  readonly ranges?: string | undefined;
  /** What its flags call the target, and columns that are categories or digits. */
  readonly target: string | undefined;
  readonly categorical?: readonly string[] | undefined;
  readonly hexPixels?: string | undefined;
}

/**
 * The plan's schema for this table: of the columns that the plan's features are made of, and of those that name rows. The
 * owner's own file must say the same of them, and its flags nothing else.
 * @param columns the columns that the plan's features are made of.
 * @throws DataError or OptionError naming the column of which the owner says something else.
 */
export function readingSchema(
  { schema }: Pick<Plan, "schema">,
  table: Table,
  columns: readonly string[],
  own: OwnWords,
): DataSchema | undefined {
  if (!schema) return own.schema;
  if (own.schema) requireSameRanges(schema, own.schema, columns, own.ranges ?? "");
  requireSameKinds(schema, own);
  const needed = new Set(columns);
  const { columns: declared, target } = schema;
  // What task and target are called is the owner's own.
  const task = own.schema?.task ?? schema.task;
  const called = own.target ?? own.schema?.target?.column ?? target?.column;
  const others = { ...own.schema?.columns, ...declared };
  const read = Object.entries(others).filter(([name, column]) =>
    isUnused(column) ? table.has(name) && !needed.has(name) : needed.has(name),
  );
  return {
    ...schema,
    ...(task === undefined ? {} : { task }),
    ...(target ? { target: { ...target, column: called! } } : {}),
    columns: Object.fromEntries(read),
  };
}

function requireSameKinds(
  { columns }: DataSchema,
  { categorical = [], hexPixels }: OwnWords,
): void {
  const kindOf = (name: string) => (Object.hasOwn(columns, name) ? columns[name]!.kind : undefined);
  const digits = hexPixels === undefined ? [] : [hexPixels];
  const asked = [
    ...categorical
      .filter((name) => !["category", "binary"].includes(kindOf(name) ?? "category"))
      .map((name) => ["categorical", name] as const),
    ...digits
      .filter((name) => kindOf(name) !== undefined)
      .map((name) => ["hex-pixels", name] as const),
  ];
  const [first] = asked;
  if (!first) return;
  const [flag, name] = first;
  throw new OptionError(
    `--${flag}: column ${JSON.stringify(name)} is declared ${kindOf(name)} by the plan's schema; leave it out`,
  );
}
