/**
 * `predict`: a fitted model's predictions for the rows of a table.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { someNames } from "../../core/messages/some-names.js";
import { OptionError } from "../../core/index.js";
import { TableEncoding, type Label, type Table } from "../../data/index.js";
import { predictionCells, predictionHeader, TASK_COLUMN } from "../../model/prediction-cells.js";
import { withoutCodes } from "../../data/schema/missing-codes.js";
import { withoutBlankRows } from "../../data/table/blank-rows.js";
import { csvText, forSpreadsheets, type CsvDialect } from "../../data/table/csv-text.js";
import { writtenCells } from "../../data/table/written-cells.js";
import { misspeltNames } from "../../data/inspect/signs/alike-names.js";
import { formatOf } from "../../data/read/index.js";
import { predictTable, type RowPrediction, type TablePredictions } from "../../model/index.js";
import type { FittedModel } from "../../learning/index.js";
import { writeFileAtomically } from "../../node/index.js";
import { defineCommand, type Result, type Values } from "../options/command.js";
import { tableFormatOptions } from "../tables/data-options.js";
import { openTable, readOptionsOf } from "../tables/read-data.js";
import { modelDirectoryOption, readModelDirectory } from "../fitted/model-directory.js";
import { HELD, unexpectedLines } from "../tables/words/unexpected-text.js";
import { choice, list, number, text } from "../options/values.js";

const options = {
  model: modelDirectoryOption,
  data: {
    value: "FILE",
    help:
      "Table with the task and feature columns of the training data, raw as those were; a target is not " +
      "needed.",
    schema: text("a file name"),
    required: true,
  },
  ...tableFormatOptions,
  id: {
    value: "A,B",
    help:
      "Columns to carry through to the predictions, beside the task's, which is there always; by default what the schema declares " +
      "identifiers, and an unnamed first column.",
    schema: list("column names separated by commas"),
  },
  interval: {
    value: "P",
    help: "Also intervals that hold the target with probability P; for mixed models of numbers.",
    schema: number({ above: 0, below: 1 }),
  },
  unseen: {
    value: "WORD",
    help:
      "as-fitted: a value that is none of a category's levels is an error, unless the fit's schema says otherwise; zeros: it " +
      "counts as no level.",
    schema: choice("as-fitted", "zeros"),
    default: "as-fitted",
  },
  out: {
    value: "FILE",
    help:
      "File to write, with the --delimiter and --decimal of the table (without them commas and points; tabs in .tsv); without " +
      "--out the rows are printed.",
    schema: text("a file name"),
  },
} as const;

/** The columns that are carried through. That of the task is not: it would be written twice. */
function idColumns(
  model: FittedModel,
  table: Table,
  asked: readonly string[] | undefined,
): { readonly ids: readonly string[]; readonly notes: readonly string[] } {
  const encoding = model.preprocessing?.encoding;
  if (asked) {
    const names = asked.map((name) => table.column(name).name);
    const ids = names.filter((name) => name !== encoding?.task);
    const task = names.find((name) => name === encoding?.task);
    const notes =
      task === undefined || task === TASK_COLUMN
        ? []
        : [`--id: ${JSON.stringify(task)} is the task's column, written as "${TASK_COLUMN}"`];
    return { ids, notes };
  }
  const declared = encoding ? TableEncoding.fromJSON(encoding).identifiers : [];
  const index = table.index === undefined ? [] : [table.index];
  return {
    ids: [...new Set([...index, ...declared.filter((name) => table.has(name))])],
    notes: [],
  };
}

function headerOf(ids: readonly string[], classes: readonly Label[] | null, interval: boolean) {
  const names = [...ids, ...predictionHeader(classes, interval)];
  const twice = ids.find((name, at) => names.indexOf(name, at + 1) >= 0);
  if (twice === undefined) return names.map(forSpreadsheets);
  throw new OptionError(
    `--id: ${JSON.stringify(twice)} is the name of another column to be written.`,
  );
}

/** How a file is written of which only the name is known. */
const byEnding = (out: string | undefined): CsvDialect =>
  out !== undefined && formatOf(out) === "tsv" ? { delimiter: "\t" } : {};

/** Cells of a column that is carried through; those of numbers are no formulas, whatever their sign. */
function carriedCells(table: Table, name: string, dialect: CsvDialect): (string | number)[] {
  const cells = writtenCells(table, name, dialect);
  if (table.isNumeric(table.column(name))) return cells;
  return cells.map((cell) => (typeof cell === "string" ? forSpreadsheets(cell) : cell));
}

function cellsOf(row: RowPrediction, ids: readonly (string | number)[]): (string | number)[] {
  return [...ids, ...predictionCells(row)];
}

/** Numbers that were not there, and that no schema says anything of. */
function filledLines(given: Table, { preprocessing }: FittedModel): string[] {
  const { columns = [], missingCodes = {} } = preprocessing?.encoding ?? {};
  const table = withoutCodes(given, missingCodes);
  return columns.flatMap((column) =>
    column.kind === "number" && column.means && table.hasGaps(column.column)
      ? [
          `column ${JSON.stringify(column.column)}: missing values filled in by the mean of their task's rows`,
        ]
      : [],
  );
}

/** What was not as in training: for whoever owns the rows, on whose machine this runs. */
function notesOf(
  { newTasks, unexpected, predictions }: TablePredictions,
  table: Table,
  model: FittedModel,
): string[] {
  const held = withoutBlankRows(table);
  const blank = table.rows - held.rows;
  const left = held.rows - predictions.length;
  return [
    ...filledLines(held, model),
    ...unexpectedLines(unexpected, {
      clipped: HELD,
      unseen: "missing or that training did not have, 0 in its columns",
    }),
    ...(blank > 0 ? [`${counted(blank, "blank row")} left out`] : []),
    ...(left > 0
      ? [`no prediction for ${counted(left, "row")} without a value that the schema asks for`]
      : []),
    ...(newTasks.length > 0
      ? [
          `${counted(newTasks.length, "task")} new to the model (${someNames(newTasks)}), predicted from what the fitted ones share`,
          ...[misspeltNames(model.taskNames, newTasks)].filter((said) => said !== ""),
        ]
      : []),
  ];
}

async function run(values: Values<typeof options>): Promise<Result> {
  const model = await readModelDirectory(values.model);
  const table = await openTable(values.data, values);
  const { ids, notes: ofIds } = idColumns(model, table, values.id);
  const found = predictTable(model, table, { interval: values.interval, unseen: values.unseen });
  const { predictions } = found;
  const { classes } = model;
  const dialect = { ...byEnding(values.out), ...readOptionsOf(values) };
  const idTexts = ids.map((name) => table.texts(name));
  const idCells = ids.map((name) => carriedCells(table, name, dialect));
  const idsOf = (row: number) => idCells.map((cells) => cells[row]!);
  const notes = [...ofIds, ...notesOf(found, table, model)];
  const csv = [
    ...csvText(
      headerOf(ids, classes, values.interval !== undefined),
      predictions.map((one) => cellsOf(one, idsOf(one.row))),
      dialect,
    ),
  ].join("");
  if (values.out !== undefined) await writeFileAtomically(values.out, csv, { secret: true });
  const written = `${counted(predictions.length, "prediction")} written to ${values.out}`;
  return {
    document: {
      method: model.method,
      rows: predictions.length,
      ...(classes ? { classes } : {}),
      notes,
      predictions: predictions.map((one) => ({
        ...one,
        ...(ids.length > 0
          ? { id: Object.fromEntries(ids.map((name, k) => [name, idTexts[k]![one.row]!])) }
          : {}),
      })),
    },
    ...(values.out === undefined
      ? { text: csv.trimEnd(), aside: notes }
      : { text: [written, ...notes].join("\n") }),
  };
}

export const predictCommand = defineCommand({
  options,
  examples: ["predict --model model --data new.csv --id pupil --out predictions.csv"],
  run,
});
