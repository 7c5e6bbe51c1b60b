/**
 * `split`: a table's rows into training and test files.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { join } from "node:path";
import { DataError, OptionError } from "../../core/index.js";
import { splitTable, type Table } from "../../data/index.js";
import { csvText, type CsvDialect } from "../../data/table/csv-text.js";
import { writtenCells } from "../../data/table/written-cells.js";
import { checkDirectory, writeDirectoryAtomically } from "../../node/index.js";
import { defineCommand, type Values } from "../options/command.js";
import { dataOptions, tableFormatOptions } from "../tables/data-options.js";
import { openTable, readOptionsOf, readSchema, usualRoles } from "../tables/read-data.js";
import { choice, number, text } from "../options/values.js";

const FILES = ["train.csv", "test.csv"] as const;

const options = {
  data: dataOptions.data,
  ...tableFormatOptions,
  task: dataOptions.task,
  ranges: { ...dataOptions.ranges, help: "Schema file; only the task that it names is read." },
  testFraction: {
    value: "F",
    help: "Fraction of the rows to test on; with --by tasks, of the tasks.",
    schema: number({ above: 0, below: 1 }),
    default: 0.3,
  },
  by: {
    value: "rows|tasks|time",
    help:
      "rows: at random within every task; tasks: whole tasks, for predictions of tasks never seen; " +
      "time: the last rows of every task by --time.",
    schema: choice("rows", "tasks", "time"),
    default: "rows",
  },
  time: {
    value: "COL",
    help: "--by time: the column that orders a task's rows: numbers, or dates as YYYY-MM-DD.",
    schema: text("a column name"),
  },
  seed: {
    value: "S",
    help: "The same seed gives the same split everywhere.",
    schema: text("a seed"),
    default: "0",
  },
  out: {
    value: "DIR",
    help: "Where to write train.csv and test.csv, all columns as they were, with the same --delimiter and --decimal.",
    schema: text("a directory name"),
    required: true,
  },
} as const;

function* rowsOf(table: Table, dialect: CsvDialect): Generator<(string | number)[]> {
  const columns = table.columnNames.map((name) => writtenCells(table, name, dialect));
  for (let row = 0; row < table.rows; row++) yield columns.map((cells) => cells[row]!);
}

async function run(values: Values<typeof options>) {
  const { testFraction, by, time, seed, out, ranges } = values;
  const declared = ranges === undefined ? undefined : (await readSchema(ranges)).task;
  const task = values.task ?? declared ?? usualRoles(values.data).task;
  if (task === undefined) throw new OptionError("--task is needed.");
  if ((by === "time") !== (time !== undefined)) {
    throw new OptionError(
      by === "time" ? "--by time needs --time COL." : "--time goes with --by time.",
    );
  }
  await checkDirectory(out, FILES);
  const table = await openTable(values.data, values);
  if (table.sparse) {
    throw new DataError(
      `${table.name}: sparse rows are not written as tables; hold rows out with fit --test-fraction.`,
    );
  }
  // Nobody knows what their points are.
  for (const column of table.columns) table.refusePoints(column);
  const { train, test } = splitTable(table, { task, testFraction, by, time, seed });
  const dialect = readOptionsOf(values);
  // A first column without a name stays one.
  const header = table.columnNames.map((name) => (name === table.index ? "" : name));
  await writeDirectoryAtomically(
    out,
    {
      "train.csv": csvText(header, rowsOf(train, dialect), dialect),
      "test.csv": csvText(header, rowsOf(test, dialect), dialect),
    },
    { secret: true },
  );
  const written = FILES.map((name) => join(out, name));
  return {
    document: { by, rows: { train: train.rows, test: test.rows }, files: written },
    text: `${counted(train.rows, "row")} to train on, ${test.rows} to test on: ${written.join(", ")}`,
  };
}

export const splitCommand = defineCommand({
  options,
  examples: ["split --data school.csv --task school --test-fraction 0.3 --out parts"],
  run,
});
