/**
 * `evaluate`: the privacy-accuracy curve on one's own data or on the papers' simulations.
 * @module
 */
import { join } from "node:path";
import { didYouMean, OptionError, VERSION } from "../../core/index.js";
import { isPrivateMethod, METHOD_NAMES } from "../../learning/index.js";
import { AUTO, findMethod, methodNamed } from "../../learning/methods.js";
import { LOSS_NAMES } from "../../learning/tasks/losses.js";
import { budgetOptions } from "../../learning/options/private-options.js";
import { writeFileAtomically } from "../../node/index.js";
import { defineCommand, type Context, type Values } from "../command.js";
import { dataOptions } from "../data-options.js";
import type { Cell } from "../evaluation/cell.js";
import { comparedUnasked, leftOutNotes, type ComparedFacts } from "../evaluation/compared.js";
import { evaluationRemarks } from "../evaluation/remarks.js";
import { REPETITIONS_HELP, repetitionsText } from "../evaluation/repetitions.js";
import { ResultsFile } from "../evaluation/results-file.js";
import { runCells } from "../evaluation/run-cells.js";
import { scoreModel } from "../evaluation/score-model.js";
import { readSettings } from "../evaluation/settings.js";
import { readSource, type Source } from "../evaluation/source.js";
import { summarize, summaryTable } from "../evaluation/summary.js";
import {
  parseSweep,
  sweepText,
  variantData,
  variantOptions,
  variantsOf,
} from "../evaluation/sweep.js";
import { tuningNotes, tuningOf, TUNINGS } from "../evaluation/tuning.js";
import { normalizeFor, normalizeOption } from "../normalize.js";
import { rawColumnsRemark } from "../raw-columns.js";
import { choice, integer, list, number, numbers, text, yesNo } from "../values.js";

const { data, ...tableOptions } = dataOptions;
const { required: _data, ...dataOption } = data;

/** For the help: what is compared where nothing is named. */
const usual = (facts: Partial<ComparedFacts>) =>
  comparedUnasked({ loss: "squared", sparse: false, simulated: false, ...facts }).join(", ");

const options = {
  data: dataOption,
  ...tableOptions,
  simulate: {
    value: "PATTERN",
    help: "Instead of --data: the papers' low-rank or group-sparse data, drawn anew per replicate.",
    schema: choice("low-rank", "group-sparse"),
  },
  tasks: { value: "M", help: "--simulate: number of tasks.", schema: integer({ min: 1 }) },
  methods: {
    value: "A,B",
    help:
      `Methods to compare: ${AUTO}, ${METHOD_NAMES.join(", ")}. Default ${usual({})}; for softmax ` +
      `${usual({ loss: "softmax" })}; of sparse rows ${usual({ sparse: true })}; with --simulate ${usual({ simulated: true })}.`,
    schema: list("method names separated by commas"),
  },
  epsilon: {
    value: "X,Y",
    help: "Budgets of the private methods.",
    schema: numbers({ above: 0 }),
    default: [0.1, 0.3, 1, 3, 10],
  },
  sweep: {
    value: "WHAT:X,Y",
    help:
      "Also vary tasks:40,80,160 (a simulation's, or so many of the table's), exponent:-1,0,0.4 or " +
      "ratio:0.9,1,1.1 (the budget over rounds: t^exponent, ratio^-t).",
    schema: sweepText(),
  },
  replicates: {
    value: "R",
    help: "Splits, or simulations.",
    schema: integer({ min: 1 }),
    default: 5,
  },
  trainFraction: {
    value: "F",
    help: "Fraction of each task's rows to train on.",
    schema: number({ above: 0, below: 1 }),
    default: 0.3,
  },
  loss: {
    value: "NAME",
    help: "squared for numbers, logistic for two values, softmax for several labels; auto: by the target.",
    schema: choice("auto", ...LOSS_NAMES),
    default: "auto",
  },
  delta: {
    value: "X",
    help: "delta of all budgets; auto: 1e-5 or 1/m^2 for m tasks, the smaller; papers: 1/(m ln m); 0: pure eps-DP.",
    schema: budgetOptions.delta,
    default: "auto",
  },
  adjacency: {
    value: "replace|zero-out",
    help: budgetOptions.adjacency.help,
    schema: budgetOptions.adjacency,
    default: "replace",
  },
  normalize: normalizeOption,
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
  model: {
    value: "DIR",
    help:
      "Instead of comparing methods: how good the model that fit --out wrote there is on --data, tasks that are new " +
      "to it among them, and how many targets its intervals hold.",
    schema: text("a directory name"),
  },
  out: {
    value: "DIR",
    help:
      "Where results.jsonl and summary.json go; the same command goes on where it stopped. Needed unless --model is " +
      "given.",
    schema: text("a directory name"),
  },
} as const;

type EvaluateValues = Values<typeof options>;

/** Settings by method, as `--settings` gives them. */
type Settings = Awaited<ReturnType<typeof readSettings>>;

const factsOf = ({ loss, sparse, data }: Pick<Source, "loss" | "sparse" | "data">) => ({
  ...{ loss, sparse, simulated: data.kind === "simulation" },
});

function methodsOf(
  { methods }: EvaluateValues,
  source: Pick<Source, "loss" | "sparse" | "data">,
): readonly string[] {
  if (methods === undefined) return comparedUnasked(factsOf(source));
  return methods;
}

/** Before the data are read. */
function requireMethods(methods: readonly string[] = []): void {
  const unknown = methods.filter((method) => !findMethod(method));
  if (unknown.length === 0) return;
  throw new OptionError(
    `--methods: ${unknown.join(", ")} unknown; there are ${AUTO}, ${METHOD_NAMES.join(", ")}.` +
      didYouMean(unknown[0]!, [AUTO, ...METHOD_NAMES]),
  );
}

function cellsOf(values: EvaluateValues, settings: Settings, source: Source): Cell[] {
  const { seed, adjacency } = values;
  const { loss, data } = source;
  const sweep = values.sweep === undefined ? undefined : parseSweep(values.sweep);
  const budget = { delta: values.delta, adjacency };
  return methodsOf(values, source).flatMap((method) => {
    const own = settings[method] ?? {};
    const { tuning, fixed } = tuningOf(method, own.grid ?? methodNamed(method).ranges, values);
    const isPrivate = isPrivateMethod(method);
    const normalize = normalizeFor(values.normalize, method, own.options ?? {});
    const variants = variantsOf(sweep, method);
    return (isPrivate ? values.epsilon : [null]).flatMap((epsilon) =>
      variants.flatMap((variant) =>
        Array.from({ length: values.replicates }, (_, replicate) => ({
          ...{ method, epsilon, replicate, seed, normalize, tuning },
          ...(sweep ? { variant } : {}),
          data: variantData(sweep, variant, data),
          options: {
            ...{ loss, ...(isPrivate ? budget : {}), ...own.options, ...fixed },
            ...variantOptions(sweep, variant),
          },
          traced: replicate === 0 && variant === variants[0],
        })),
      ),
    );
  });
}

/** All that the results depend on, to tell one evaluation from another. */
function determining(values: EvaluateValues, settings: Settings, source: Source): object {
  const apart = ["out", "workers", "data", "model"];
  const kept = Object.keys(options).filter((name) => !apart.includes(name));
  const chosen = Object.fromEntries(
    kept.map((name) => [name, values[name as keyof EvaluateValues] ?? null]),
  );
  const { loss, digest, notes } = source;
  const methods = methodsOf(values, source);
  const resolved = { ...chosen, loss, methods, settings, release: VERSION };
  return digest === undefined ? resolved : { ...resolved, dataDigest: digest, dataNotes: notes };
}

/** What is searched instead of the documented ranges. */
const rangesOf = (settings: Settings) =>
  Object.fromEntries(Object.entries(settings).map(([method, { grid }]) => [method, grid]));

async function run(values: EvaluateValues, context: Context) {
  const { model, out } = values;
  if (model !== undefined) return scoreModel({ ...values, model });
  if (out === undefined) throw new OptionError("--out is needed.");
  const settings = values.settings === undefined ? {} : await readSettings(values.settings);
  requireMethods(values.methods);
  const source = await readSource(values);
  const cells = cellsOf(values, settings, source);
  const configuration = determining(values, settings, source);
  const file = await ResultsFile.open(join(out, "results.jsonl"), configuration);
  if (file.torn) {
    context.io.stderr(
      `${file.path}: cut a line that a kill left unfinished; its cell runs again\n`,
    );
  }
  const { signal, progress } = context;
  const results = await runCells(cells, file, { signal, progress, workers: values.workers })
    .then(() => file.finish(cells))
    .finally(() => file.close());
  const rows = summarize(results);
  const { notCharged, charged, untuned } = tuningNotes(results, values.tune);
  const asTheyAre = cells.flatMap(({ method, normalize }) =>
    normalize === "none" ? [method] : [],
  );
  const remarks = [
    ...rawColumnsRemark([...new Set(asTheyAre)], source.farFromUnit),
    ...evaluationRemarks(results, {
      ranges: rangesOf(settings),
      sizes: source,
      delta: values.delta,
    }),
  ];
  const leftOut = leftOutNotes(methodsOf(values, source), factsOf(source));
  const document = {
    ...{ format: "mp-mtl-summary", version: 2 },
    ...{ configuration, data: source.notes, notCharged, charged, leftOut, remarks, summary: rows },
  };
  await writeFileAtomically(join(out, "summary.json"), `${JSON.stringify(document, null, 2)}\n`);
  const notes = [
    ...source.notes.map((note) => `data: ${note}`),
    ...notCharged.map((note) => `not charged to eps: ${note}`),
    ...charged.map((note) => `included in eps: ${note}`),
    ...untuned.map((note) => `not tuned: ${note}`),
    ...leftOut.map((note) => `methods: ${note}`),
    ...remarks.map((remark) => `remark: ${remark}`),
  ];
  return { document, text: [summaryTable(rows), ...notes, `results in ${out}`].join("\n") };
}

export const evaluateCommand = defineCommand({
  options,
  examples: [
    "evaluate --simulate low-rank --methods single-task,trace-norm --replicates 10 --out results",
    "evaluate --data school.csv.gz --task task --target y --epsilon 1,3,10 --out results",
    "evaluate --model model --data new.csv",
  ],
  run,
});
