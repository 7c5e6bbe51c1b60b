/**
 * `fit --shared-prior`: models of owners who come after a fit, from their own rows and what it released. Nothing is spent.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { flagName } from "../../core/messages/flag-name.js";
import { OptionError } from "../../core/index.js";
import { Pipeline, type TaskSet, type TaskSource } from "../../data/index.js";
import { someNames } from "../../core/messages/some-names.js";
import { fitNewTask, type FittedModel, type SharedPrior } from "../../learning/index.js";
import { loadModel, readPrior, saveModel } from "../../model/index.js";
import { readBytes } from "../../node/index.js";
import type { Options, Result } from "../options/command.js";
import { fitDocument } from "./document.js";
import { describeFit } from "./text.js";
import { laterRows, type LaterValues } from "./later-rows.js";
import type { HoldOut } from "../tables/prepare-data.js";
import { readModelDirectory } from "../fitted/model-directory.js";
import { HELD, unexpectedLines } from "../tables/words/unexpected-text.js";

/** The flags that count; the prior says the rest. */
const TAKEN = [
  "sharedPrior",
  "data",
  "delimiter",
  "decimal",
  "task",
  "out",
  "verbose",
  "test",
  "testFraction",
  "splitSeed",
];

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
 * @param holdOut of every task, the rows to score on.
 * @param write   keeps the models, and says in which directory; in none where that was not asked for.
 * @throws DataError if the prior is none, or says nothing of later tasks; as the reader for cells that do not fit.
 */
export async function fitLater(
  values: LaterValues,
  holdOut: HoldOut | undefined,
  write: (model: FittedModel) => Promise<string> | undefined,
): Promise<Result> {
  const { prior, known } = await openPrior(values.sharedPrior);
  const { pipeline: stored = null } = prior.preprocessing ?? {};
  const pipeline = stored && Pipeline.fromJSON(stored);
  const scaled = (tasks: TaskSet) => (pipeline ? pipeline.apply(tasks) : tasks);
  const read = await laterRows(values, prior, holdOut);
  const { dropped, unexpected } = read;
  const tasks = scaled(read.train);
  const encoding = read.encoding.toJSON();
  const started = performance.now();
  const fitted = fitNewTask(prior, tasks).withPreprocessing({ encoding, pipeline: stored });
  const seconds = (performance.now() - started) / 1000;
  // As it would be read, so that its promise is held to what was paid before it is printed.
  const model = loadModel(saveModel(fitted));
  const out = await write(model);
  const document = {
    ...fitDocument(model, tasks, read.test && scaled(read.test), seconds, dropped),
    notes: [
      ...notesOf(tasks.names, encoding.task, known),
      ...(dropped > 0 ? [`${counted(dropped, "row")} without a target left out`] : []),
      ...unexpectedLines(unexpected, {
        clipped: HELD,
        unseen: "missing or that the fit did not have, 0 in its columns",
      }),
    ],
  };
  return { document, text: describeFit(document, { ...values, out, said: [] }) };
}
