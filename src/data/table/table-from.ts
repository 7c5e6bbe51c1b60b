/**
 * Tables from memory: records, columns, or what Apache Arrow's library holds, recognised by its methods.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { kindOf } from "../../core/messages/kind-of.js";
import { columnOfValues } from "./column-of-values.js";
import { Table, type Column } from "./table.js";

/** A column of an Arrow table, as far as it is used. */
export interface ArrowColumn {
  readonly length: number;
  /** The value of a row. */
  get(row: number): unknown;
}

/** An Arrow table, as far as it is used: `Table` of the package apache-arrow, of any version that has these. */
export interface ArrowTable {
  /** Number of rows. */
  readonly numRows: number;
  /** What says the names of the columns. */
  readonly schema: {
    /** One for each column, in order. */
    readonly fields: readonly {
      /** Name of the column. */
      readonly name: string;
    }[];
  };
  /** A column by its position. */
  getChildAt(column: number): ArrowColumn | null;
}

/** One row by column name; a column that a row lacks is missing there. */
export type TableRecord = Readonly<Record<string, unknown>>;

/** Columns by name, of one length. */
export type TableColumns = Readonly<Record<string, ArrayLike<unknown>>>;

/**
 * A table from an array of objects, an object of columns, or an Apache Arrow table. Objects have their columns in the order in which these first
 * occur. Names and order of columns are public: where it is not which values are missing, give every object all of them, with null for those.
 *
 * @param name how the table is called in errors; default "table".
 * @throws DataError naming the column for values that are neither numbers, booleans nor text, and as `Table` does.
 * @example tableFrom([{ school: "north", score: 12, ward: "med" }, { school: "south", score: 9 }])
 * @example tableFrom({ school: ["north", "south"], score: new Float32Array([12, 9]) })
 * @example tableFrom(await tableFromIPC(fetch("pupils.arrow"))) // of the package apache-arrow
 */
export function tableFrom(
  data: readonly TableRecord[] | TableColumns | ArrowTable,
  name = "table",
): Table {
  if (isArrow(data)) return new Table(arrowColumns(data, name), { name });
  if (Array.isArray(data)) return new Table(recordColumns(data as TableRecord[], name), { name });
  if (
    typeof data !== "object" ||
    data === null ||
    ArrayBuffer.isView(data) ||
    data instanceof Promise
  ) {
    throw new DataError(
      `${name}: expected an array of objects, an object of columns, or an Apache Arrow table, got ${kindOf(data)}.`,
    );
  }
  const columns = Object.entries(data as TableColumns).map(([column, values]) => {
    if (typeof values === "object" && values !== null && typeof values.length === "number") {
      return columnOfValues(column, Array.from(values), name);
    }
    throw new DataError(`${name}, column ${JSON.stringify(column)}: expected an array of values.`);
  });
  return new Table(columns, { name });
}

function isArrow(data: unknown): data is ArrowTable {
  const { numRows, schema, getChildAt } = (data ?? {}) as Partial<ArrowTable>;
  return (
    typeof numRows === "number" && Array.isArray(schema?.fields) && typeof getChildAt === "function"
  );
}

function arrowColumns(table: ArrowTable, source: string): Column[] {
  return table.schema.fields.map(({ name }, at) => {
    const column = table.getChildAt(at);
    const values = Array.from({ length: table.numRows }, (_, row) => column?.get(row));
    return columnOfValues(name, values, source);
  });
}

/** The columns in the order in which they first occur. */
function recordColumns(records: readonly TableRecord[], source: string): Column[] {
  const names = new Set<string>();
  records.forEach((record, row) => {
    if (typeof record !== "object" || record === null || Array.isArray(record)) {
      throw new DataError(`${source}, row ${row}: expected an object of values by column.`);
    }
    for (const name of Object.keys(record)) names.add(name);
  });
  return [...names].map((name) => {
    const values = records.map((record) =>
      Object.hasOwn(record, name) ? record[name] : undefined,
    );
    return columnOfValues(name, values, source);
  });
}
