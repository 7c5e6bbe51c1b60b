/**
 * `evaluate`: the privacy-accuracy curve on one's own data or on the papers' simulations.
 * @module
 */
import { join } from "node:path";
import { OptionError } from "../../core/index.js";
import { writeFileAtomically } from "../../node/index.js";
import { defineCommand, type Context } from "../options/command.js";
import {
  cellsOf,
  determining,
  factsOf,
  methodsOf,
  requireMethods,
} from "../evaluation/plan/plan-cells.js";
import { leftOutNotes } from "../evaluation/plan/compared.js";
import { evaluateOptions, type EvaluateValues } from "../evaluation/plan/options.js";
import { conclusionOf } from "../evaluation/findings/conclusion.js";
import { guessRows } from "../evaluation/findings/guess-rows.js";
import { learnedIn } from "../evaluation/findings/learned.js";
import { floatsRemark } from "../evaluation/findings/promise.js";
import { evaluationRemarks } from "../evaluation/findings/remarks.js";
import { areOfRows, ResultsFile } from "../evaluation/cells/results-file.js";
import { runCells } from "../evaluation/cells/run-cells.js";
import { scoreModel } from "../evaluation/findings/score-model.js";
import { readSettings, type Settings } from "../tuning/settings.js";
import { planOwn } from "../evaluation/cells/own-method.js";
import { readSource } from "../evaluation/plan/source.js";
import { summarize, summaryTable } from "../evaluation/findings/summary.js";
import { tuningNotes } from "../evaluation/plan/tuning.js";
import { rawColumnsRemark } from "../tables/words/raw-columns.js";
import { shellWord } from "../words/shell-word.js";

/** What is searched instead of the documented ranges. */
const rangesOf = (settings: Settings) =>
  Object.fromEntries(Object.entries(settings).map(([method, { grid }]) => [method, grid]));

async function run(values: EvaluateValues, context: Context) {
  const { model, out } = values;
  if (model !== undefined) {
    if (values.own !== undefined) {
      throw new OptionError(
        "--own goes without --model: it stands beside methods that are compared.",
      );
    }
    return scoreModel({ ...values, model });
  }
  if (values.unseen !== undefined) {
    throw new OptionError(
      "--unseen goes with --model: where methods are compared, a table's levels are known.",
    );
  }
  if (out === undefined) throw new OptionError("--out is needed.");
  return compare(values, out, context);
}

/** Runs every cell that the folder `out` has not yet, and writes there what they say together. */
async function compare(values: EvaluateValues, out: string, context: Context) {
  const settings = values.settings === undefined ? {} : await readSettings(values.settings);
  requireMethods(values.methods);
  const own = await planOwn(values.own);
  const source = await readSource(values);
  const cells = cellsOf(values, settings, source, own);
  const configuration = determining(values, settings, source, own);
  const results = await resultsOf(cells, configuration, { ...values, out }, context);
  const asTheyAre = cells.flatMap(({ method, normalize }) =>
    normalize === "none" ? [method] : [],
  );
  const remarks = [
    ...floatsRemark(results),
    ...rawColumnsRemark([...new Set(asTheyAre)], source.farFromUnit),
    ...evaluationRemarks(results, {
      ranges: rangesOf(settings),
      sizes: source,
      delta: values.delta,
      ...(source.data.kind === "table" ? { trainFraction: values.trainFraction } : {}),
    }),
  ];
  const rows = summarize(results);
  const guessing = guessRows(results);
  const tuned = tuningNotes(results, values.tune);
  const notes = {
    ...tuned,
    notCharged: [...tuned.notCharged, ...learnedIn(results)],
    data: source.notes,
    leftOut: leftOutNotes(methodsOf(values, source), factsOf(source)),
    remarks,
    conclusion: conclusionOf(rows, results),
  };
  const { data, conclusion, notCharged, charged, leftOut } = notes;
  const document = {
    format: "mp-mtl-summary",
    version: 2,
    conclusion,
    configuration,
    data,
    notCharged,
    charged,
    leftOut,
    remarks,
    summary: rows,
    ...(guessing.length > 0 ? { guessing } : {}),
  };
  const secret = areOfRows(configuration);
  const summary = `${JSON.stringify(document, null, 2)}\n`;
  await writeFileAtomically(join(out, "summary.json"), summary, { secret });
  const whose = secret ? ", for whoever may see all rows" : "";
  const written = `results in ${out}${whose}; as a page with figures: mp-mtl report --results ${shellWord(out)} --out report.html`;
  const text = [summaryTable([...rows, ...guessing]), ...linesOf(notes), written].join("\n");
  return { document, text };
}

/** Results of all cells: those that the folder has, and those that run now. */
async function resultsOf(
  cells: ReturnType<typeof cellsOf>,
  configuration: ReturnType<typeof determining>,
  { out, workers }: Pick<EvaluateValues, "workers"> & { readonly out: string },
  { io, signal, progress }: Context,
) {
  const file = await ResultsFile.open(join(out, "results.jsonl"), configuration);
  if (file.torn) {
    io.stderr(`${file.path}: cut a line that a kill left unfinished; its cell runs again\n`);
  }
  return runCells(cells, file, { signal, progress, workers })
    .then(() => file.finish(cells))
    .finally(() => {
      file.close();
      if (signal.aborted && cells.some((cell) => file.has(cell))) {
        io.stderr(`${out} has what is done so far: the same command goes on from there\n`);
      }
    });
}

type Notes = ReturnType<typeof tuningNotes> &
  Record<"data" | "leftOut" | "remarks" | "conclusion", readonly string[]>;

/** Everything that is to be known beside the table, a line each. */
const linesOf = (notes: Notes) => [
  ...notes.data.map((note) => `data: ${note}`),
  ...notes.notCharged.map((note) => `not charged to eps: ${note}`),
  ...notes.charged.map((note) => `included in eps: ${note}`),
  ...notes.untuned.map((note) => `not tuned: ${note}`),
  ...notes.leftOut.map((note) => `methods: ${note}`),
  ...notes.remarks.map((remark) => `remark: ${remark}`),
  ...notes.conclusion.map((sentence) => `in short: ${sentence}`),
];

export const evaluateCommand = defineCommand({
  options: evaluateOptions,
  examples: [
    "evaluate --simulate low-rank --methods single-task,trace-norm --replicates 10 --out results",
    "evaluate --data school.csv.gz --task task --target y --epsilon 1,3,10 --out results",
    "evaluate --model model --data new.csv",
  ],
  run,
});
