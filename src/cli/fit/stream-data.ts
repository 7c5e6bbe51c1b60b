/**
 * `--stream`: rows that are read once, in pieces, and of which only the tasks' moments are kept, so that a file may be larger
 * than memory.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { OptionError } from "../../core/index.js";
import { momentsOfTables, type Missing } from "../../data/index.js";
import { readTables } from "../../node/tables/read-table.js";
import { alikeTasks } from "../tables/words/alike-tasks.js";
import type { Context } from "../options/command.js";
import type { DataValues } from "../tables/data-options.js";
import { readOptionsFor, schemaOf } from "../tables/read-data.js";
import type { PreparedData } from "../tables/prepare-data.js";
import { yesNo } from "../options/values.js";

export const streamOption = {
  value: "yes|no",
  help:
    "Read the rows once, in pieces, and keep of each task their number, mean and scatter: for files larger than memory " +
    "(.csv, .tsv, .parquet), and methods that need no more (mp-mixed, mixed-model, trace-norm, group-sparse; squared loss).",
  schema: yesNo(),
  default: false,
  group: "data",
} as const;

/** What needs single rows, by the flag that asks for it. */
export type RowsAsked = Readonly<Record<string, boolean>>;

/**
 * Reads the tasks' moments.
 * @param values with what is asked about missing values; not said: they are refused, since no mean is known before the end.
 * @param asked the loss.
 * @param needsRows what else was asked for that moments cannot answer.
 * @throws OptionError if there is any, or the loss is not the squared one.
 */
export async function streamData(
  values: DataValues & { readonly missing: Missing },
  asked: unknown,
  needsRows: RowsAsked,
  { signal, progress }: Pick<Context, "signal" | "progress">,
): Promise<Omit<PreparedData, "withGaps">> {
  const flag = Object.keys(needsRows).find((name) => needsRows[name]);
  if (flag !== undefined) {
    throw new OptionError(`${flag} needs single rows, of which --stream keeps none.`);
  }
  if (asked !== undefined && asked !== "auto" && asked !== "squared") {
    throw new OptionError(
      "--loss: --stream keeps what the squared loss needs of the rows, and no other.",
    );
  }
  const schema = await schemaOf(values, "number");
  const { encoding, tasks, rows, dropped, unexpected } = await momentsOfTables(
    readTables(values.data, readOptionsFor(values.data, values)),
    schema,
    {
      signal,
      onTable: (share = 0) => progress.update(Math.floor(100 * share), 100, "percent of the file"),
    },
  );
  return {
    encoding,
    tasks,
    dropped,
    loss: "squared",
    held: undefined,
    unexpected: [],
    questions: alikeTasks(tasks.names),
    isDoubtful: false,
    notCharged: [],
    notes: [
      `${rows + dropped} rows read once, of which the tasks' moments were kept; kinds of columns as in the first of them`,
      ...(dropped > 0 ? [`${counted(dropped, "row")} with missing values left out`] : []),
      ...(unexpected > 0
        ? [
            `${counted(unexpected, "value")} too far outside their declared range, held nearer, or of no level that is known`,
          ]
        : []),
      ...(asked === undefined ? ["loss squared, for which moments of rows are enough"] : []),
    ],
  };
}
