/**
 * `evaluate`: the privacy-accuracy curve on one's own data or on the papers' simulations.
 * @module
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { OptionError } from "../../core/index.js";
import { isPrivateMethod, METHOD_NAMES } from "../../learning/index.js";
import { taskArrays } from "../../model/index.js";
import { writeFileAtomically } from "../../node/index.js";
import { defineCommand, type Context, type Values } from "../command.js";
import { dataOptions, readTrainingTasks, type DataValues } from "../data-options.js";
import type { Cell, CellData } from "../evaluation/cell.js";
import { defaultRanges } from "../evaluation/ranges.js";
import { REPETITIONS_HELP, repetitionsText } from "../evaluation/repetitions.js";
import { ResultsFile } from "../evaluation/results-file.js";
import { runCells } from "../evaluation/run-cells.js";
import { readSettings } from "../evaluation/settings.js";
import { summarize, summaryTable } from "../evaluation/summary.js";
import { tuningNotes, tuningOf, TUNINGS } from "../evaluation/tuning.js";
import { choice, integer, list, number, numbers, text, yesNo } from "../values.js";

const { data, task, target, ...tableOptions } = dataOptions;
const { required: _data, ...dataOption } = data;
const { required: _task, ...taskOption } = task;
const { required: _target, ...targetOption } = target;

const options = {
  data: dataOption,
  task: taskOption,
  target: targetOption,
  ...tableOptions,
  simulate: {
    value: "PATTERN",
    help: "Instead of --data: the papers' low-rank or group-sparse data, drawn anew per replicate.",
    schema: choice("low-rank", "group-sparse"),
  },
  tasks: { value: "M", help: "--simulate: number of tasks.", schema: integer({ min: 1 }) },
  methods: {
    value: "A,B",
    help: `Methods to compare: ${METHOD_NAMES.join(", ")}.`,
    schema: list("method names separated by commas"),
    default: ["single-task", "trace-norm", "mp-low-rank"],
  },
  epsilon: {
    value: "X,Y",
    help: "Budgets of the private methods.",
    schema: numbers({ above: 0 }),
    default: [0.1, 0.3, 1, 3, 10],
  },
  replicates: {
    value: "R",
    help: "Splits, or simulations.",
    schema: integer({ min: 1 }),
    default: 5,
  },
  trainFraction: {
    value: "F",
    help: "Share of each task's rows to train on.",
    schema: number({ above: 0, below: 1 }),
    default: 0.3,
  },
  loss: {
    value: "NAME",
    help: "squared for numbers, logistic for two classes, softmax for several.",
    schema: choice("squared", "logistic", "softmax"),
    default: "squared",
  },
  normalize: {
    value: "rows|none",
    help: "rows: every row is scaled to unit l2 norm.",
    schema: choice("rows", "none"),
    default: "rows",
  },
  tune: {
    value: TUNINGS.join("|"),
    help:
      "cv: the documented grid, random: --trials draws from the documented ranges, by cross-validation on " +
      "the training rows, not charged to the budget, which the result says; private: candidates chosen " +
      "under the budget, the guarantee includes it; none: each method's defaults and own rules.",
    schema: choice(...TUNINGS),
    default: "cv",
  },
  trials: {
    value: "N",
    help: "--tune random: how many candidates are drawn, default 20; --tune private: draws instead of the grid.",
    schema: integer({ min: 1 }),
  },
  repetitions: {
    value: "LAW",
    help: REPETITIONS_HELP,
    schema: repetitionsText(),
    default: "auto",
  },
  scoreShare: {
    value: "X",
    help: "--tune private: share of a run's budget for its noisy score.",
    schema: number({ above: 0, below: 1 }),
    default: 0.15,
  },
  folds: { value: "K", help: "Folds within every task.", schema: integer({ min: 2 }), default: 5 },
  oneStandardError: {
    help: "--tune cv, random: the strongest penalty within one standard error of the best.",
    schema: yesNo(),
    default: false,
  },
  settings: {
    value: "FILE",
    help:
      'JSON by method: { "mp-low-rank": { "options": { "clip": 20 }, "grid": { "lambda": [3, 1] } } }; ' +
      'a range is { "from": 10, "to": 0.01, "points": 4 }.',
    schema: text("a file name"),
  },
  seed: { value: "S", help: "Seed of splits and noise.", schema: text("a seed"), default: "0" },
  workers: {
    value: "N",
    help: "Threads; default the number of cores. The results do not depend on it.",
    schema: integer({ min: 1 }),
  },
  out: {
    value: "DIR",
    help: "Where results.jsonl and summary.json go; the same command goes on where it stopped.",
    schema: text("a directory name"),
    required: true,
  },
} as const;

type EvaluateValues = Values<typeof options>;

async function cellData(values: EvaluateValues): Promise<CellData> {
  const { simulate, tasks } = values;
  if (simulate !== undefined) {
    if (values.data !== undefined)
      throw new OptionError("--data and --simulate exclude each other.");
    return { kind: "simulation", options: { pattern: simulate, ...(tasks ? { tasks } : {}) } };
  }
  const missing = (["data", "task", "target"] as const).filter(
    (name) => values[name] === undefined,
  );
  if (missing.length > 0) {
    throw new OptionError(`--${missing.join(", --")} needed, or --simulate PATTERN.`);
  }
  const table = values as unknown as DataValues;
  const read = await readTrainingTasks(table, values.loss === "squared" ? "number" : "auto");
  return { kind: "table", tasks: taskArrays(read.tasks), trainFraction: values.trainFraction };
}

/** Settings by method, as `--settings` gives them. */
type Settings = Awaited<ReturnType<typeof readSettings>>;

async function cellsOf(values: EvaluateValues, settings: Settings): Promise<Cell[]> {
  const unknown = values.methods.filter((method) => !METHOD_NAMES.includes(method));
  if (unknown.length > 0) {
    throw new OptionError(
      `--methods: ${unknown.join(", ")} unknown; there are ${METHOD_NAMES.join(", ")}.`,
    );
  }
  const source = await cellData(values);
  const { seed, normalize, loss } = values;
  return values.methods.flatMap((method) => {
    const own = settings[method] ?? {};
    const { tuning, fixed } = tuningOf(method, own.grid ?? defaultRanges(method), values);
    const budgets = isPrivateMethod(method) ? values.epsilon : [null];
    return budgets.flatMap((epsilon) =>
      Array.from({ length: values.replicates }, (_, replicate) => ({
        ...{ method, epsilon, replicate, data: source, seed, normalize, tuning },
        options: { loss, ...own.options, ...fixed },
      })),
    );
  });
}

/** All that the results depend on, to tell one evaluation from another. */
function determining(values: EvaluateValues, settings: Settings, source: CellData): object {
  const kept = Object.keys(options).filter((name) => !["out", "workers", "data"].includes(name));
  const chosen = Object.fromEntries(
    kept.map((name) => [name, values[name as keyof EvaluateValues] ?? null]),
  );
  if (source.kind === "simulation") return { ...chosen, settings };
  const hash = createHash("sha256").update(source.tasks.x).update(source.tasks.y);
  return { ...chosen, settings, dataDigest: hash.digest("hex") };
}

async function run(values: EvaluateValues, context: Context) {
  const settings = values.settings === undefined ? {} : await readSettings(values.settings);
  const cells = await cellsOf(values, settings);
  const { out } = values;
  const configuration = determining(values, settings, cells[0]!.data);
  const file = await ResultsFile.open(join(out, "results.jsonl"), configuration);
  const { signal, progress } = context;
  await runCells(cells, file, { signal, progress, workers: values.workers });
  const results = await file.finish(cells);
  const rows = summarize(results);
  const { notCharged, charged, untuned } = tuningNotes(results, values.tune);
  const document = { configuration, notCharged, charged, summary: rows };
  await writeFileAtomically(join(out, "summary.json"), `${JSON.stringify(document, null, 2)}\n`);
  const notes = [
    ...notCharged.map((note) => `not charged to eps: ${note}`),
    ...charged.map((note) => `included in eps: ${note}`),
    ...untuned.map((note) => `not tuned: ${note}`),
  ];
  return { document, text: [summaryTable(rows), ...notes, `results in ${out}`].join("\n") };
}

export const evaluateCommand = defineCommand({
  name: "evaluate",
  summary: "compare methods over budgets and replicates, on all cores, resumable",
  options,
  examples: [
    "evaluate --simulate low-rank --methods single-task,trace-norm --replicates 10 --out results",
    "evaluate --data school.csv.gz --task task --target y --epsilon 1,3,10 --out results",
  ],
  run,
});
