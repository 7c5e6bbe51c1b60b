/**
 * `fit`: learn all tasks' models from a table, write the model, print how good it is and what it
 * guarantees.
 * @module
 */
import { DataError, OptionError } from "../../core/index.js";
import { Pipeline, type TaskSet } from "../../data/index.js";
import {
  isPrivateMethod,
  type Estimator,
  type FitOptions,
  type FittedModel,
  type LossName,
  type Threads,
} from "../../learning/index.js";
import { methodNamed, SELECTABLE } from "../../learning/methods.js";
import { threadsOption } from "../../learning/parallel/threads.js";
import { modelCard, saveModel } from "../../model/index.js";
import {
  checkDirectory,
  openJournal,
  openTaskWorkers,
  writeDirectoryAtomically,
  type OpenJournal,
} from "../../node/index.js";
import { boundByOptions } from "../bound-persons.js";
import { defineCommand, type Context, type Values } from "../command.js";
import {
  dataOptions,
  missingByUnit,
  missingFor,
  openTable,
  personOption,
} from "../data-options.js";
import { dataDigest } from "../data-digest.js";
import { EXIT } from "../exit-code.js";
import { fitDocument } from "../fit-document.js";
import { fitSelected, selectionOptions } from "../fit-selected.js";
import { describeFit } from "../fit-text.js";
import { flagOption, methodFlags } from "../method-options.js";
import { holdsPrivateModel, MODEL_FILES } from "../model-directory.js";
import { normalizeFor, normalizeOption } from "../normalize.js";
import { prepareData, type HoldOut } from "../prepare-data.js";
import { isDoubtful } from "../question-target.js";
import { warningsBefore } from "../remarks.js";
import { streamData, streamOption } from "../stream-data.js";
import { number, text } from "../values.js";

/** The options of the method. */
type Given = Context["given"];

const flags = methodFlags(SELECTABLE);

const options = {
  ...dataOptions,
  missing: missingByUnit,
  stream: streamOption,
  person: personOption,
  test: {
    value: "FILE",
    help: "Test data with the same columns; its scores are printed.",
    schema: text("a file name"),
    group: "data",
  },
  testFraction: {
    value: "F",
    help:
      "Instead of --test: share of each task's rows to hold out, of which only columns, levels and labels are " +
      "looked at, and to score on.",
    schema: number({ above: 0, below: 1 }),
    group: "data",
  },
  splitSeed: {
    value: "S",
    help:
      "--test-fraction: the same seed holds out the same rows everywhere; default 0. Replicate R of an evaluation " +
      "with seed S holds out those of S/data/R.",
    schema: text("a seed"),
    group: "data",
  },
  sharedPrior: {
    value: "FILE|DIR",
    help:
      "For owners who come after a fit: what it says of tasks in general (summary --prior-out wrote it), or its model. Every " +
      "task of --data gets a model of its own from this and its rows, read as the fit's were; nothing is released or spent.",
    schema: text("a file or directory name"),
    group: "data",
  },
  method: flags.method,
  normalize: { ...normalizeOption, group: "data" },
  ...selectionOptions,
  journal: {
    value: "DIR",
    help:
      "Private methods: write every charge and release here as the rounds go; the same command " +
      "goes on where an interrupted fit stopped, and draws nothing twice. Its first record has a digest of " +
      "all data, for the curator only.",
    schema: text("a directory name"),
    group: "output",
  },
  threads: { ...flagOption(threadsOption), group: "output" },
  out: {
    value: "DIR",
    help: "Where to write the model (safetensors) and its card; it holds all tasks' models.",
    schema: text("a directory name"),
    group: "output",
  },
} as const;

/** The journal of this fit: of these options on this data, whatever file they came from. */
function journalOf(
  { method, journal }: Values<typeof options>,
  { random: _random, ...chosen }: Given,
  train: TaskSet,
): OpenJournal | undefined {
  if (journal === undefined) return undefined;
  if (!isPrivateMethod(method)) {
    throw new OptionError(`--journal: ${method} releases nothing that would have to be kept.`);
  }
  return openJournal(
    journal,
    JSON.stringify({ method, options: chosen, dataDigest: dataDigest(train) }),
  );
}

/** Fits with the options given; with a journal, goes on where it stopped. */
async function fitAsGiven(
  estimator: Estimator,
  train: TaskSet,
  hooks: Pick<FitOptions, "signal" | "notCharged" | "threads"> & {
    journal: OpenJournal | undefined;
    progress: Context["progress"];
  },
) {
  const { progress, ...passed } = hooks;
  const { journal } = passed;
  const onRound = ({ round, rounds }: { round: number; rounds: number }) =>
    progress.update(round, rounds, "round");
  const workers = openTaskWorkers();
  try {
    return { model: await estimator.fit(train, { ...passed, onRound, workers }), chosen: null };
  } finally {
    workers.close();
    journal?.close();
  }
}

/** The tasks of the table, or their moments. */
function read(values: Values<typeof options>, asked: Given, context: Context) {
  const { stream, missing, method, normalize } = values;
  const loss = asked["loss"] as LossName;
  if (!stream) {
    return prepareData({ ...values, missing: missingFor(missing, asked) }, loss, holdOutOf(values));
  }
  return streamData(
    { ...values, missing: missing ?? "refuse" },
    loss,
    {
      "--test-fraction": values.testFraction !== undefined,
      "--tune": values.tune === "private",
      "--normalize rows": normalizeFor(normalize, method, asked) === "rows",
    },
    context,
  );
}

/** The tasks to fit, and to score on, scaled as was asked; and the method's options with the loss that the data have. */
async function prepare(values: Values<typeof options>, context: Context) {
  const { method, test: file } = values;
  const { given: asked } = context;
  const prepared = await read(values, asked, context);
  const { encoding, loss, questions } = prepared;
  const { tasks, notes } = boundByOptions(prepared.tasks, asked);
  if (isDoubtful(tasks) && questions.length > 0) throw new DataError(questions.join("\n"));
  const held =
    file === undefined ? prepared.held : encoding.apply(await openTable(file, values)).tasks;
  const given = { ...asked, loss };
  const normalize = normalizeFor(values.normalize, method, given);
  const pipeline = Pipeline.fit(tasks, normalize === "rows" ? [{ kind: "unit-rows" }] : []);
  const scaled = values.normalize === normalize ? [] : normalizeNotes(normalize);
  return {
    ...{ train: pipeline.apply(tasks), test: held && pipeline.apply(held), given },
    ...{ dropped: prepared.dropped, notes: [...prepared.notes, ...notes, ...scaled, ...questions] },
    notCharged: prepared.notCharged,
  };
}

async function writeModel(model: FittedModel, out: string): Promise<void> {
  await writeDirectoryAtomically(
    out,
    {
      [MODEL_FILES[0]]: saveModel(model),
      [MODEL_FILES[1]]: `${JSON.stringify(modelCard(model), null, 2)}\n`,
    },
    { secret: true },
  );
}

async function run(values: Values<typeof options>, context: Context) {
  const { method, out, tune, journal, sharedPrior } = values;
  if (out !== undefined) await checkDirectory(out, MODEL_FILES);
  if (sharedPrior !== undefined) {
    const { fitLater, refuseOthers } = await import("../fit-later.js");
    refuseOthers(values, context.given, { ...flags.dependent.all, ...options });
    return fitLater({ ...values, sharedPrior }, writeModel, holdOutOf(values));
  }
  const { given, train, test, ...prepared } = await prepare(values, context);
  const journalled = journal === undefined ? [] : ["the journal's digest of all data"];
  const notCharged = [...prepared.notCharged, ...journalled];
  const estimator = methodNamed(method).make(given);
  const said = [
    ...warningsBefore(estimator, train),
    // With a journal it may be this very fit's.
    ...(out !== undefined && journal === undefined && (await holdsPrivateModel(out))
      ? [
          `${out} holds a private model, which this one will replace, and the ledger of what was spent on it; name another ` +
            "--out to keep them",
        ]
      : []),
  ];
  for (const warning of said) context.io.stderr(`before anything is spent: ${warning}\n`);
  const selects = tune === "private";
  if (selects && journal !== undefined) {
    throw new OptionError(
      "--journal: a private selection cannot be resumed: runs that were not chosen must leave no trace. " +
        "Start it afresh.",
    );
  }
  if (selects && values.threads !== undefined) {
    throw new OptionError(
      "--threads: a private selection runs on one thread: threads that are up already would tell of runs before.",
    );
  }
  const started = performance.now();
  const hooks = { signal: context.signal, notCharged };
  const { model, chosen } = selects
    ? await fitSelected(method, given, values, train, hooks)
    : await fitAsGiven(estimator, train, {
        ...hooks,
        progress: context.progress,
        threads: values.threads,
        journal: journalOf(values, given, train),
      });
  // The number of runs of a private selection is for nobody's eyes, and time would tell it.
  const seconds = selects ? null : (performance.now() - started) / 1000;
  const document = {
    ...fitDocument(model, train, test, seconds, prepared.dropped),
    notes: [...prepared.notes, ...threadNotes(values.threads, model)],
    ...(chosen ? { chosen } : {}),
  };
  if (out !== undefined) await writeModel(model, out);
  const converged = model.certificate?.met ?? true;
  return {
    document,
    text: describeFit(document, { ...values, said }),
    exitCode: converged ? EXIT.done : EXIT.notConverged,
  };
}

/** What was done to rows without being asked for. */
const normalizeNotes = (normalize: "rows" | "none") =>
  normalize === "rows"
    ? [
        "every row scaled to unit length, as the method needs a bound on rows (--normalize, --feature-bound)",
      ]
    : [];

/** Why there were not as many threads as were asked for. */
function threadNotes(asked: Threads | undefined, { threads }: FittedModel): string[] {
  if (asked === undefined || asked === "auto" || asked === 1 || threads?.used === asked) return [];
  const { used, why } = threads ?? {
    used: 1,
    why: "the method's tasks are not spread over threads",
  };
  return [`${used === 1 ? "one thread" : `${used} threads`}, because ${why}`];
}

/** Which rows to hold out. */
function holdOutOf({ test, testFraction, splitSeed }: Values<typeof options>): HoldOut | undefined {
  if (testFraction === undefined) {
    if (splitSeed !== undefined) throw new OptionError("--split-seed goes with --test-fraction.");
    return undefined;
  }
  if (test !== undefined) throw new OptionError("--test and --test-fraction exclude each other.");
  return { testFraction, seed: splitSeed ?? "0" };
}

export const fitCommand = defineCommand({
  options,
  dependent: flags.dependent,
  examples: [
    "fit --data train.csv --task school --target score --ranges schema.json --test-fraction 0.3 --out model",
    "fit --data train.csv --task school --target score --method mp-low-rank --normalize rows " +
      "--epsilon 1 --clip 90 --lambda 3 --out model",
    "fit --shared-prior prior.json --data later.csv --out later",
  ],
  run,
});
