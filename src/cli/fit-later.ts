/**
 * `fit --shared-prior`: models of owners who come after a fit, from their own rows and what it released. Nothing is spent.
 * @module
 */
import { basename } from "node:path";
import { counted } from "../core/counted.js";
import { flagName } from "../core/flag-name.js";
import { DataError, OptionError } from "../core/index.js";
import { Pipeline, TableEncoding, type Table, type TaskSource } from "../data/index.js";
import { someNames } from "../data/some-names.js";
import { fitNewTask, type FittedModel, type SharedPrior } from "../learning/index.js";
import { loadModel, readPrior, saveModel } from "../model/index.js";
import { readBytes } from "../node/index.js";
import type { Options, Result } from "./command.js";
import { openTable, type TableFormatValues } from "./data-options.js";
import { fitDocument } from "./fit-document.js";
import { describeFit } from "./fit-text.js";
import { readModelDirectory } from "./model-directory.js";
import { unexpectedLines } from "./unexpected-text.js";

/** The flags that count; the prior says the rest. */
const TAKEN = ["sharedPrior", "data", "delimiter", "decimal", "task", "test", "out"];

/** What is used of the values of `fit`. */
export interface LaterValues extends TableFormatValues {
  readonly sharedPrior: string;
  readonly data: string;
  readonly task?: string | undefined;
  readonly test?: string | undefined;
  readonly out?: string | undefined;
}

/** @throws OptionError naming flags of a fit that releases something, or says how a table is read. */
export function refuseOthers(
  values: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
  options: Options,
): void {
  const own = Object.keys(options).filter(
    (name) => !TAKEN.includes(name) && values[name] !== options[name]!.default,
  );
  const ofMethod = Object.keys(given).filter((name) => given[name] !== undefined);
  const flags = [...new Set([...own, ...ofMethod])].map(
    (name) => `--${options[name]?.flag ?? flagName(name)}`,
  );
  if (flags.length === 0) return;
  throw new OptionError(
    `${flags.join(", ")} does not go with --shared-prior: the prior says which columns there are, how they are read and by which ` +
      "method, and nothing is spent.",
  );
}

/** The prior of a file, or of a model's directory or file, and the tasks that the latter has. */
async function openPrior(
  path: string,
): Promise<{ prior: SharedPrior; known: ReadonlySet<string> }> {
  if (/\.json$/i.test(path)) {
    const prior = readPrior(new TextDecoder().decode(await readBytes(path)), path);
    return { prior, known: new Set() };
  }
  const model = /\.safetensors$/i.test(path)
    ? loadModel(await readBytes(path))
    : await readModelDirectory(path);
  return { prior: model, known: new Set(model.taskNames) };
}

/** Whose rows these are: by the column of the fit, or one that is named; all of one task where there is none. */
function taskOf({ task, data }: LaterValues, table: Table, ofFit: TaskSource): TaskSource {
  if (task !== undefined) return task;
  if (typeof ofFit === "string" && table.has(ofFit)) return ofFit;
  return { name: basename(data).replace(/(\.[a-z]+)(\.gz)?$/i, "") };
}

/** How the table is read: as that of the fit, with the means of its own rows in the place of gaps. */
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
  return TableEncoding.fromJSON({ ...rest, task })
    .forTask(null)
    .withMeansOf(table);
}

function notesOf(tasks: readonly string[], source: TaskSource, known: ReadonlySet<string>) {
  const again = tasks.filter((name) => known.has(name));
  return [
    ...(typeof source === "string"
      ? []
      : [
          `no column says whose rows these are (--task): all are of one task, ${JSON.stringify(source.name)}`,
        ]),
    ...(again.length > 0
      ? [
          `${counted(again.length, "task")} of this table the fit had too (${someNames(again)}); what it promises covers them`,
        ]
      : []),
  ];
}

/**
 * Fits every task of the table by itself.
 * @param write keeps the model.
 * @throws DataError if the prior is none, or says nothing of later tasks; as the reader for cells that do not fit.
 */
export async function fitLater(
  values: LaterValues,
  write: (model: FittedModel, out: string) => Promise<void>,
): Promise<Result> {
  const { prior, known } = await openPrior(values.sharedPrior);
  const table = await openTable(values.data, values);
  const encoding = encodingOf(prior, values, table);
  const { pipeline: stored = null } = prior.preprocessing ?? {};
  const pipeline = stored && Pipeline.fromJSON(stored);
  const tasksOf = (from: Table) => {
    const applied = encoding.apply(from);
    return pipeline ? { ...applied, tasks: pipeline.apply(applied.tasks) } : applied;
  };
  const { tasks, dropped, unexpected } = tasksOf(table);
  const started = performance.now();
  const fitted = fitNewTask(prior, tasks).withPreprocessing({
    ...{ encoding: encoding.toJSON(), pipeline: stored },
  });
  const seconds = (performance.now() - started) / 1000;
  // As it would be read, so that its promise is held to what was paid before it is printed.
  const model = loadModel(saveModel(fitted));
  const test = values.test === undefined ? undefined : await openTable(values.test, values);
  const document = {
    ...fitDocument(model, tasks, test && tasksOf(test).tasks, seconds, dropped),
    notes: [
      ...notesOf(tasks.names, encoding.toJSON().task, known),
      ...(dropped > 0 ? [`${counted(dropped, "row")} without a target left out`] : []),
      ...unexpectedLines(unexpected, {
        clipped: "outside the declared range, taken at its ends",
        unseen: "that the fit did not have, counted as no level",
      }),
    ],
  };
  if (values.out !== undefined) await write(model, values.out);
  return { document, text: describeFit(document, { ...values, said: [] }) };
}
