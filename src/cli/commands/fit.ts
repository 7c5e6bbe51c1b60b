/**
 * `fit`: learn all tasks' models from a table, write the model, print how good it is and what it
 * guarantees.
 * @module
 */
import { createHash } from "node:crypto";
import { DataError, OptionError } from "../../core/index.js";
import { Pipeline, type TaskSet } from "../../data/index.js";
import {
  isPrivateMethod,
  makeEstimator,
  selectPrivately,
  type FittedModel,
} from "../../learning/index.js";
import { threadsOption } from "../../learning/parallel/threads.js";
import { AUTO, methodNamed, SELECTABLE } from "../../learning/methods.js";
import { modelCard, saveModel } from "../../model/index.js";
import {
  checkDirectory,
  openJournal,
  openTaskWorkers,
  writeDirectoryAtomically,
  type OpenJournal,
} from "../../node/index.js";
import { defineCommand, type Values } from "../command.js";
import { dataOptions, openTable } from "../data-options.js";
import { normalizeFor, normalizeOption } from "../normalize.js";
import { prepareData, type HoldOut } from "../prepare-data.js";
import { scoreTable } from "../score-table.js";
import type { LossName } from "../../learning/index.js";
import { EXIT } from "../exit-code.js";
import { describeFit } from "../fit-text.js";
import { estimatorOptions, flagOption, methodFlags } from "../method-options.js";
import { MODEL_FILES } from "../model-directory.js";
import { gridCandidates, randomCandidates } from "../evaluation/ranges.js";
import { parseRepetitions, REPETITIONS_HELP, repetitionsText } from "../evaluation/repetitions.js";
import { readSettings } from "../evaluation/settings.js";
import { remarksOn, warningsBefore } from "../remarks.js";
import { constantWithinTasks } from "../question-target.js";
import { choice, integer, number, text } from "../values.js";

const flags = methodFlags(SELECTABLE);

const options = {
  ...dataOptions,
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
  method: flags.method,
  normalize: { ...normalizeOption, group: "data" },
  tune: {
    value: "none|private",
    help:
      "private: options that are not given are chosen from the method's documented ranges under the " +
      "budget; the guarantee that is printed includes the choice.",
    schema: choice("none", "private"),
    default: "none",
    group: "tuning",
  },
  settings: {
    value: "FILE",
    help: "--tune private: JSON with a grid of the method, as for evaluate, instead of the documented ranges.",
    schema: text("a file name"),
    group: "tuning",
  },
  trials: {
    value: "N",
    help: "--tune private: random draws from the ranges instead of the grid.",
    schema: integer({ min: 2 }),
    group: "tuning",
  },
  repetitions: {
    value: "LAW",
    help: REPETITIONS_HELP,
    schema: repetitionsText(),
    default: "auto",
    group: "tuning",
  },
  scoreShare: {
    value: "X",
    help: "--tune private: share of a run's budget for its noisy score.",
    schema: number({ above: 0, below: 1 }),
    shownDefault: "0.15",
    group: "tuning",
  },
  folds: {
    value: "K",
    help: "--tune private: folds in which a task judges a run.",
    schema: integer({ min: 2 }),
    shownDefault: "5",
    group: "tuning",
  },
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

/**
 * The document that `--json` prints.
 * @param seconds null where the time would tell how many runs a private selection made.
 */
export function fitDocument(
  model: FittedModel,
  train: TaskSet,
  test: TaskSet | undefined,
  seconds: number | null,
  droppedRows = 0,
) {
  const held = test && scoreTable(model, test, "the test rows");
  const summary = model.summary();
  return {
    method: model.method,
    ...(model.choice ? { choice: model.choice } : {}),
    loss: model.loss,
    tasks: model.m,
    features: model.d,
    samples: train.size,
    droppedRows, // for want of a target
    rounds: model.rounds,
    ...model.figures,
    train: model.score(train),
    ...(held?.test ? { test: held.test } : {}),
    ...(held?.newTasks ? { newTasks: held.newTasks } : {}),
    ...(held?.intervals ? { intervals: held.intervals } : {}),
    ...(held && held.rowsNotScored > 0 ? { testRowsNotScored: held.rowsNotScored } : {}),
    // Of charged releases alone; means over tasks are for `summary`.
    ...(summary.charged ? { coefficients: summary } : {}),
    remarks: remarksOn(model),
    certificate: model.certificate,
    guarantee: model.guarantee,
    ...(model.protection.length > 0 ? { protection: model.protection } : {}),
    ...(model.recordGuarantee ? { recordGuarantee: model.recordGuarantee } : {}),
    ...(model.threads ? { threads: model.threads } : {}),
    ...(seconds === null ? {} : { seconds }),
  };
}

/** Chooses what was not given, under the budget. */
async function fitSelected(
  values: Values<typeof options>,
  train: TaskSet,
  hooks: { signal: AbortSignal; notCharged: readonly string[] },
) {
  const { method, trials, repetitions, scoreShare, folds, journal, settings } = values;
  if (journal !== undefined) {
    throw new OptionError(
      "--journal: a private selection cannot be resumed: runs that were not chosen must leave no trace. " +
        "Start it afresh.",
    );
  }
  if (values.threads !== undefined) {
    throw new OptionError(
      "--threads: a private selection runs on one thread: threads that are up already would tell of runs before.",
    );
  }
  if (method === AUTO) {
    throw new OptionError("--tune private: name the --method whose options are to be chosen.");
  }
  const given = estimatorOptions(values);
  const { seed = "0" } = (given["random"] ?? {}) as { seed?: string };
  const own = settings === undefined ? undefined : (await readSettings(settings))[method];
  const ranges = Object.fromEntries(
    Object.entries(own?.grid ?? methodNamed(method).ranges).filter(
      ([name]) => given[name] === undefined,
    ),
  );
  const candidates =
    trials === undefined
      ? gridCandidates(ranges)
      : randomCandidates(ranges, trials, `${seed}/${method}`);
  const shared = Object.fromEntries(
    Object.entries({ ...own?.options, ...given }).filter(([, value]) => value !== undefined),
  );
  return selectPrivately(train, {
    ...{ method, options: shared, candidates, repetitions: parseRepetitions(repetitions) },
    ...(scoreShare === undefined ? {} : { scoreShare }),
    ...(folds === undefined ? {} : { folds }),
    ...hooks,
  });
}

/** The journal of this fit: of these options on this data, whatever file they came from. */
function journalOf(values: Values<typeof options>, train: TaskSet): OpenJournal {
  const { method } = values;
  if (!isPrivateMethod(method)) {
    throw new OptionError(`--journal: ${method} releases nothing that would have to be kept.`);
  }
  const { random: _random, ...chosen } = estimatorOptions(values);
  const digest = createHash("sha256").update(train.x).update(train.y).update(train.offsets);
  return openJournal(
    values.journal!,
    JSON.stringify({ method, options: chosen, dataDigest: digest.digest("hex") }),
  );
}

/** Fits with the options given; with a journal, goes on where it stopped. */
async function fitAsGiven(
  values: Values<typeof options>,
  train: TaskSet,
  {
    signal,
    progress,
    notCharged,
  }: Pick<FitContext, "signal" | "progress"> & { notCharged: string[] },
): Promise<FittedModel> {
  const estimator = makeEstimator(values.method, estimatorOptions(values));
  const journal = values.journal === undefined ? undefined : journalOf(values, train);
  const onRound = ({ round, rounds }: { round: number; rounds: number }) =>
    progress.update(round, rounds, "round");
  const workers = openTaskWorkers();
  return estimator
    .fit(train, { signal, journal, notCharged, onRound, threads: values.threads, workers })
    .finally(() => {
      workers.close();
      journal?.close();
    });
}

async function run(asked: Values<typeof options>, { io, signal, progress }: FitContext) {
  if (asked.out !== undefined) await checkDirectory(asked.out, MODEL_FILES);
  const loss = estimatorOptions(asked)["loss"] as LossName | undefined;
  const prepared = await prepareData(asked, loss, holdOutOf(asked));
  const { tasks, encoding, dropped, notes, questions } = prepared;
  if (constantWithinTasks(tasks) && questions.length > 0) throw new DataError(questions.join("\n"));
  const values = { ...asked, loss: prepared.loss };
  const held =
    asked.test === undefined
      ? prepared.held
      : encoding.apply(await openTable(asked.test, asked)).tasks;
  const normalize = normalizeFor(values.normalize, values.method, estimatorOptions(values));
  const pipeline = Pipeline.fit(tasks, normalize === "rows" ? [{ kind: "unit-rows" }] : []);
  const train = pipeline.apply(tasks);
  const test = held && pipeline.apply(held);
  const journalled = values.journal === undefined ? [] : ["the journal's digest of all data"];
  const notCharged = [...prepared.notCharged, ...journalled];
  const warned = warningsBefore(makeEstimator(values.method, estimatorOptions(values)), train);
  for (const warning of warned) io.stderr(`before anything is spent: ${warning}\n`);
  const started = performance.now();
  const { model, chosen } =
    values.tune === "private"
      ? await fitSelected(values, train, { signal, notCharged })
      : { model: await fitAsGiven(values, train, { signal, progress, notCharged }), chosen: null };
  // The number of runs of a private selection is for nobody's eyes, and time would tell it.
  const seconds = values.tune === "private" ? null : (performance.now() - started) / 1000;
  const document = {
    ...fitDocument(model, train, test, seconds, dropped),
    notes: [
      ...notes,
      ...(asked.normalize === normalize ? [] : normalizeNotes(normalize)),
      ...threadNotes(asked.threads, model),
      ...questions,
    ],
    ...(chosen ? { chosen } : {}),
  };
  if (values.out !== undefined) {
    await writeDirectoryAtomically(
      values.out,
      {
        [MODEL_FILES[0]]: saveModel(model),
        [MODEL_FILES[1]]: `${JSON.stringify(modelCard(model), null, 2)}\n`,
      },
      { secret: true },
    );
  }
  const converged = model.certificate?.met ?? true;
  return {
    document,
    text: describeFit(document, { ...values, said: warned }),
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
function threadNotes(asked: Values<typeof options>["threads"], { threads }: FittedModel): string[] {
  if (asked === undefined || asked === "auto" || threads?.used === asked) return [];
  const { used, why } = threads ?? {
    used: 1,
    why: "the method's tasks are not spread over threads",
  };
  return asked === 1 ? [] : [`${used === 1 ? "one thread" : `${used} threads`}, because ${why}`];
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

type FitContext = Parameters<Parameters<typeof defineCommand<typeof options>>[0]["run"]>[1];

export const fitCommand = defineCommand({
  options,
  dependent: flags.dependent,
  examples: [
    "fit --data train.csv --task school --target score --method mp-low-rank --normalize rows " +
      "--epsilon 1 --clip 90 --lambda 3 --out model",
  ],
  run,
});
