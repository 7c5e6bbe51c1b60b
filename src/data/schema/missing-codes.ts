/**
 * Codes that stand for missing values, as -99 or "unknown" do: people say them, and nothing is taken for one unasked.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { canonicalLevel } from "../columns/categorical.js";
import { hasDecimalPoints, withDecimalPoints } from "../table/decimal-comma.js";
import { isNumberColumn, type Column, type Table } from "../table/table.js";
import { isUnused } from "./schema.js";
import type { TableSchema } from "./table-schema.js";

/** By column: what its cells are where the value is missing, in the one spelling of levels. */
export type MissingCodes = Readonly<Record<string, readonly string[]>>;

/** What says which codes there are. */
export type CodesRequest = Pick<
  TableSchema,
  "task" | "target" | "person" | "weights" | "schema" | "missingCodes"
>;

const spelled = (codes: readonly (string | number)[], { decimalCommas }: Table) =>
  codes.map((code) => canonicalLevel(String(code), decimalCommas));

/**
 * The codes of each column: its own by the schema, else those of the whole table. Columns that name something have none but
 * their own.
 * @throws DataError where the codes are no list of texts and numbers.
 */
export function codesOf(table: Table, request: CodesRequest): MissingCodes {
  const { missingCodes: common = [] } = request;
  const fits = (code: unknown) => typeof code === "string" || Number.isFinite(code);
  if (!Array.isArray(common) || !common.every(fits)) {
    throw new DataError("missingCodes: expected a list of texts and numbers.");
  }
  const { naming, own } = declaredCodes(table, request);
  return Object.fromEntries(
    table.columnNames.flatMap((name) => {
      const codes = own(name) ?? (naming.has(name) ? [] : common);
      return codes.length > 0 ? [[name, spelled(codes, table)]] : [];
    }),
  );
}

/** Whether a column is one whose values mean something, and of which nobody said which codes it has. */
export function mayHaveCodes(table: Table, name: string, request: CodesRequest): boolean {
  const { naming, own } = declaredCodes(table, request);
  return !naming.has(name) && own(name) === undefined;
}

/** The columns that name something, and what a schema says of the codes of one: none of an unused one. */
function declaredCodes(table: Table, { schema, ...roles }: CodesRequest) {
  const { task = schema?.task, target = schema?.target?.column, person, weights } = roles;
  const naming = new Set<unknown>([task, person, weights, table.index]);
  const columns = schema?.columns ?? {};
  const ofTarget = schema?.target?.column === target ? schema?.target?.missingCodes : undefined;
  const own = (name: string) => {
    if (name === target) return ofTarget;
    const column = Object.hasOwn(columns, name) ? columns[name]! : undefined;
    if (!column) return undefined;
    return isUnused(column) ? [] : column.missingCodes;
  };
  return { naming, own };
}

/** The codes that at least one cell of the column holds. */
export function codesHeld(table: Table, name: string, codes: readonly string[]): string[] {
  const cells = Array.from<string | number>(table.column(name).values);
  const held = new Set(cells.map((cell) => canonicalLevel(String(cell), table.decimalCommas)));
  return codes.filter((code) => held.has(code));
}

/** The table with nothing where a cell holds a code; a column of text whose others are numbers is one of numbers then. */
export function withoutCodes(table: Table, codes: MissingCodes): Table {
  if (Object.keys(codes).length === 0) return table;
  const columns = table.columns.map((column) =>
    Object.hasOwn(codes, column.name)
      ? withoutCodesOf(column, new Set(codes[column.name]), table.decimalCommas)
      : column,
  );
  return table.withColumns(columns);
}

function withoutCodesOf(column: Column, codes: ReadonlySet<string>, commas: boolean): Column {
  if (isNumberColumn(column)) {
    const values = column.values.map((value) => (codes.has(String(value)) ? NaN : value));
    return { ...column, values };
  }
  const isCode = (cell: string) => codes.has(canonicalLevel(cell, commas));
  if (!column.values.some(isCode)) return column;
  const left = { ...column, values: column.values.map((cell) => (isCode(cell) ? "" : cell)) };
  return commas && !hasDecimalPoints(column) ? withDecimalPoints(left) : left;
}
