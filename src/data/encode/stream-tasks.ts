/**
 * Tables that come in pieces, as the moments of their tasks: every row is read once, and none is held.
 * @module
 */
import { DataError } from "../../core/errors.js";
import type { Table } from "../table/table.js";
import { TableEncoding } from "./table-encoding.js";
import type { TableSchema } from "../schema/table-schema.js";
import type { TableStream } from "../table/table-stream.js";
import { TaskMoments } from "../tasks/task-moments.js";
import type { TaskSet } from "../tasks/task-set.js";
import type { UnexpectedValues } from "./unexpected-values.js";

/** What a stream of tables comes to. */
export interface StreamedTasks {
  /** Moments of the rows, for methods that take them. */
  readonly tasks: TaskSet;
  /** How rows to predict become numbers. */
  readonly encoding: TableEncoding;
  /** Rows that are in the moments; those left out are not. */
  readonly rows: number;
  /** Rows that were left out because of missing values. */
  readonly dropped: number;
  /** How many values were held near their declared range, or of no declared level. */
  readonly unexpected: number;
}

/** What goes beside reading. */
export interface StreamOptions {
  /** Ends it, between two tables. */
  readonly signal?: AbortSignal | undefined;
  /** Told for every table how much of the file was read, between 0 and 1; undefined where that is not known. */
  readonly onTable?: ((share: number | undefined) => void) | undefined;
}

/**
 * Reads tables one after the other, as `readTables` gives them.
 *
 * Kinds of columns and levels that the schema does not declare are taken from the first piece, one or two megabytes.
 * @throws whatever `options.signal` was aborted with.
 * @throws DataError if there is no table, a mean of a task's rows would stand for missing numbers (say
 *   `missing: "center"` or `"refuse"`), the target is none of numbers, or a cell does not fit.
 * @example const { tasks } = await momentsOfTables(readTables("rows.csv"), { task: "site", target: "y" });
 */
export async function momentsOfTables(
  tables: TableStream,
  schema: TableSchema,
  { signal, onTable }: StreamOptions = {},
): Promise<StreamedTasks> {
  if (typeof tables?.[Symbol.asyncIterator] !== "function") {
    throw new TypeError("tables: expected what readTables gives");
  }
  const moments = new TaskMoments();
  let encoding: TableEncoding | undefined;
  const signs = new PercentSigns();
  let [dropped, unexpected] = [0, 0];
  for await (const table of tables) {
    signal?.throwIfAborted();
    onTable?.(tables.share?.());
    if (!encoding) {
      encoding = fixedEncoding(table, schema);
      tables.use?.(encoding.use);
    }
    signs.check(table, encoding.use.numbers);
    const applied = encoding.applyToAny(table);
    if (!applied) {
      dropped += table.rows;
      continue;
    }
    moments.add(applied.tasks);
    dropped += applied.dropped;
    unexpected += countOf(applied.unexpected);
  }
  if (!encoding) throw new DataError("there is no table to read tasks from.");
  return { tasks: moments.tasks(), encoding, rows: moments.rows, dropped, unexpected };
}

/** Whether columns are percentages, which no piece may see differently from those before: 50 % is 50, and .5 may be meant by .5. */
class PercentSigns {
  readonly #known = new Map<string, boolean>();

  /** @throws DataError naming the column, and the first row of the piece. */
  check(table: Table, numbers: Iterable<string>): void {
    for (const name of numbers) {
      const column = table.column(name);
      const present = column.values.findIndex(
        (_: unknown, row: number) => !table.missing(column, row),
      );
      if (present < 0) continue;
      const signed = table.isPercentage(column);
      const known = this.#known.get(name) ?? signed;
      this.#known.set(name, known);
      if (known === signed) continue;
      throw new DataError(
        `${table.place(present, name)}: from about here on cells have ${known ? "no percent sign, which those before have" : "percent signs, which those before lack"}: ` +
          "write all of the column in one way.",
      );
    }
  }
}

/** One that does not depend on rows that are still to come. */
function fixedEncoding(table: Table, schema: TableSchema): TableEncoding {
  const encoding = TableEncoding.fit(table, schema);
  const filled = encoding
    .toJSON()
    .columns.find((column) => column.kind === "number" && column.means);
  if (!filled) return encoding;
  throw new DataError(
    `column ${JSON.stringify(filled.column)}: a task's mean cannot stand for missing numbers before all its rows are read; ` +
      'say missing: "center" or "refuse".',
  );
}

const countOf = (list: readonly UnexpectedValues[]) =>
  list.reduce((sum, { clipped, unseen }) => sum + clipped + unseen, 0);
