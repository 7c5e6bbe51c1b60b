/**
 * The rows of owners who come after a fit: read as the fit's table was, to learn from and to score on.
 * @module
 */
import { basename } from "node:path";
import { DataError } from "../../core/index.js";
import { splitEncoded, TableEncoding, type Table, type TaskSource } from "../../data/index.js";
import type { SharedPrior } from "../../learning/index.js";
import { openTable, type TableFormatValues } from "../tables/read-data.js";
import type { HoldOut } from "../tables/prepare-data.js";

/** What is used of the values of `fit`. */
export interface LaterValues extends TableFormatValues {
  readonly sharedPrior: string;
  readonly data: string;
  readonly task: string | undefined;
  readonly test: string | undefined;
  readonly out: string | undefined;
  readonly verbose: boolean;
}

/** Whose rows these are: by the column of the fit, or one that is named; all of one task where there is none. */
function taskOf({ task, data }: LaterValues, table: Table, ofFit: TaskSource): TaskSource {
  if (task !== undefined) return task;
  if (typeof ofFit === "string" && table.has(ofFit)) return ofFit;
  return { name: basename(data).replace(/(\.[a-z]+)(\.gz)?$/i, "") };
}

/** How the table is read: as that of the fit, of whose tasks no means are kept. */
function encodingOf(prior: SharedPrior, values: LaterValues, table: Table): TableEncoding {
  const { encoding } = prior.preprocessing ?? {};
  if (!encoding) {
    throw new DataError(
      "the prior does not say how its table was encoded: its tasks were not made from a table; give prepared rows to " +
        "fitNewTask of the library instead.",
    );
  }
  // Persons matter to what is released.
  const { person: _person, ...rest } = encoding;
  const task = taskOf(values, table, encoding.task);
  return TableEncoding.fromJSON({ ...rest, task }).forTask(null);
}

/**
 * The rows to learn from, those to score on, and the encoding with the former's means in the place of gaps.
 * @param holdOut of every task, the rows to score on.
 * @throws DataError if the prior is not of tables; as the reader for cells that do not fit.
 */
export async function laterRows(
  values: LaterValues,
  prior: SharedPrior,
  holdOut: HoldOut | undefined,
) {
  const table = await openTable(values.data, values);
  const own = encodingOf(prior, values, table).withMeansOf(table);
  if (holdOut) return splitEncoded(own, table, { task: own.toJSON().task, ...holdOut });
  const { tasks: train, ...read } = own.apply(table);
  const test =
    values.test === undefined ? undefined : own.apply(await openTable(values.test, values)).tasks;
  return { ...read, train, test, encoding: own };
}
