/**
 * What an evaluation's results look like as a report.
 * @module
 */
import { isPrivateMethod } from "../../../learning/index.js";
import {
  accuracyFigure,
  accuracyTable,
  metricsOf,
  sweepFigure,
  type Figure,
  type Report,
} from "../../../report/index.js";
import { shellWord } from "../../words/shell-word.js";
import { evaluateCommandLine } from "../plan/command-line.js";
import { conclusionOf } from "./conclusion.js";
import { promiseOf } from "./promise.js";
import { readResults, type Results } from "../cells/read-results.js";
import { areOfRows } from "../cells/results-file.js";
import { LOSS_NAMES } from "../../../learning/tasks/losses.js";
import { leftOutNotes } from "../plan/compared.js";
import { guessRows } from "./guess-rows.js";
import { learnedIn } from "./learned.js";
import { evaluationRemarks } from "./remarks.js";
import { runFigures } from "./run-figures.js";
import type { MethodSettings } from "../../tuning/settings.js";
import { summarize, type SummaryRow } from "./summary.js";
import { parseSweep, sweepTitle, variantsOf } from "../plan/sweep.js";
import { tuningNotes } from "../plan/tuning.js";

/** Share of a table's rows that tasks learned from; undefined of a simulation. */
function tableFraction({ configuration }: Results): number | undefined {
  const { simulate, trainFraction } = configuration;
  return typeof trainFraction === "number" && typeof simulate !== "string"
    ? trainFraction
    : undefined;
}

/** The cells that the configuration asks for; undefined where it does not say. */
function expectedCells({ configuration }: Results): number | undefined {
  const { methods, own = [], epsilon, replicates, sweep } = configuration;
  if (!Array.isArray(methods) || !Array.isArray(epsilon) || typeof replicates !== "number") {
    return undefined;
  }
  const swept = typeof sweep === "string" ? parseSweep(sweep) : undefined;
  const ours = (methods as string[]).map((name) => ({ name, isPrivate: isPrivateMethod(name) }));
  return [...ours, ...(own as typeof ours)].reduce((sum, { name, isPrivate }) => {
    const budgets = isPrivate ? epsilon.length : 1;
    return sum + budgets * variantsOf(swept, name).length * replicates;
  }, 0);
}

/** What was searched instead of the documented ranges. */
function searchedRanges({ configuration }: Results) {
  const settings = (configuration["settings"] ?? {}) as Readonly<Record<string, MethodSettings>>;
  return Object.fromEntries(Object.entries(settings).map(([method, { grid }]) => [method, grid]));
}

/** What the evaluation left out unasked; sparse rows and damaged configurations: nothing is said. */
function leftOutOf({ configuration }: Results): string[] {
  const { methods, loss, simulate } = configuration;
  const known = LOSS_NAMES.find((name) => name === loss);
  if (!Array.isArray(methods) || known === undefined) return [];
  const simulated = simulate !== null && simulate !== undefined;
  return leftOutNotes(methods as string[], { loss: known, sparse: false, simulated });
}

function notesOn(results: Results): string[] {
  const { configuration, cells } = results;
  const expected = expectedCells(results);
  const { notCharged, charged, untuned } = tuningNotes(cells, configuration["tune"]);
  return [
    ...(expected === undefined || expected === cells.length
      ? []
      : [
          `Not finished: ${cells.length} of ${expected} cells. The same evaluate command goes on where it stopped.`,
        ]),
    ...(Array.isArray(configuration["dataNotes"])
      ? (configuration["dataNotes"] as unknown[]).map((note) => `Data: ${String(note)}.`)
      : []),
    ...[...notCharged, ...learnedIn(cells)].map((note) => `Not charged to eps: ${note}.`),
    ...charged.map((note) => `Included in eps: ${note}.`),
    ...untuned.map((note) => `Not tuned: ${note}.`),
    ...leftOutOf(results).map((note) => `Methods: ${note}.`),
    ...evaluationRemarks(cells, {
      ranges: searchedRanges(results),
      trainFraction: tableFraction(results),
    }).map((note) => `Remark: ${note}.`),
  ];
}

/** What no seeded noise hides. */
const OF_ALL_ROWS =
  "This report is for whoever may see all rows: its scores are of everyone's, and what it shows of tasks' models no guarantee covers.";

const BAND = "Mean over replicates; the band is one standard error to each side.";

/** Accuracy against eps, or against what was swept. */
function metricFigure(
  rows: readonly SummaryRow[],
  metric: string,
  { configuration }: Results,
  command: string,
): Figure {
  const { sweep } = configuration;
  const name = metric.toLowerCase();
  if (typeof sweep !== "string") {
    return accuracyFigure(rows, metric, {
      name: `privacy-accuracy-${name}`,
      title: `Privacy and accuracy: ${metric}`,
      caption: `${BAND} Methods without a privacy budget are horizontal lines.`,
      command,
    });
  }
  const { kind, values } = parseSweep(sweep);
  const logarithmic = kind === "tasks" && Math.max(...values) > 4 * Math.min(...values);
  return sweepFigure(rows, metric, {
    name: `${kind}-${name}`,
    title:
      kind === "tasks"
        ? `Accuracy and number of tasks: ${metric}`
        : `Budget over rounds: ${metric}`,
    caption: `${BAND} Methods to which the value means nothing are horizontal lines.`,
    command,
    axis: { title: sweepTitle(kind), scale: logarithmic ? "log" : "linear" },
  });
}

/**
 * Table and figures of an evaluation: accuracy against eps or a sweep, and single runs.
 * @throws DataError where the directory holds no readable results.
 */
export async function evaluationReport(
  directory: string,
): Promise<Report & { readonly ofRows: boolean }> {
  const results = await readResults(directory);
  const { configuration: all } = results;
  // By it whoever knows all rows but a few can test a guess of these.
  const { dataDigest: _, ...configuration } = all;
  const ofRows = areOfRows(all);
  const rows = summarize(results.cells);
  const shown = [...rows, ...guessRows(results.cells)];
  const command = evaluateCommandLine(results.configuration, directory);
  const made = `${command}\nmp-mtl report --results ${shellWord(directory)} --out report.html`;
  const figures = [
    ...metricsOf(rows).map((metric) => metricFigure(shown, metric, results, made)),
    ...runFigures(results.cells, made),
  ];
  return {
    title: "Privacy and accuracy of multi-task learning",
    conclusion: conclusionOf(rows, results.cells),
    guarantee: [...promiseOf(results.cells), ...(ofRows ? [OF_ALL_ROWS] : [])],
    notes: notesOn(results),
    command: made,
    tables: [accuracyTable(shown)],
    figures,
    configuration,
    ofRows,
  };
}
