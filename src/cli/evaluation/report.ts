/**
 * What an evaluation's results look like as a report.
 * @module
 */
import { isPrivateMethod } from "../../learning/index.js";
import { accuracyFigure, accuracyTable, metricsOf, type Report } from "../../report/index.js";
import { evaluateCommandLine } from "./command-line.js";
import { readResults, type Results } from "./read-results.js";
import { summarize } from "./summary.js";
import { tuningNotes } from "./tuning.js";

/** The cells that the configuration asks for; undefined where it does not say. */
function expectedCells({ configuration }: Results): number | undefined {
  const { methods, epsilon, replicates } = configuration;
  if (!Array.isArray(methods) || !Array.isArray(epsilon) || typeof replicates !== "number") {
    return undefined;
  }
  return (methods as string[]).reduce(
    (sum, method) => sum + (isPrivateMethod(method) ? epsilon.length : 1) * replicates,
    0,
  );
}

function notesOn(results: Results): string[] {
  const { configuration, cells } = results;
  const expected = expectedCells(results);
  const broken = cells.some(({ guarantee }) => guarantee && !guarantee.sound);
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
    ...notCharged.map((note) => `Not charged to eps: ${note}.`),
    ...charged.map((note) => `Included in eps: ${note}.`),
    ...untuned.map((note) => `Not tuned: ${note}.`),
    ...(broken
      ? ["Rows marked DOES NOT HOLD state the papers' nominal eps, not a guarantee."]
      : []),
    "The noise of an evaluation is seeded so that it can be repeated: its models protect no one.",
  ];
}

/**
 * Table and privacy-accuracy curves of an evaluation.
 * @throws DataError where the directory holds no readable results.
 */
export async function evaluationReport(directory: string): Promise<Report> {
  const results = await readResults(directory);
  const rows = summarize(results.cells);
  const command = evaluateCommandLine(results.configuration, directory);
  const figures = metricsOf(rows).map((metric) =>
    accuracyFigure(rows, metric, {
      name: `privacy-accuracy-${metric.toLowerCase()}`,
      title: `Privacy and accuracy: ${metric}`,
      caption:
        "Mean over replicates; the band is one standard error to each side. Methods without a " +
        "privacy budget are horizontal lines.",
      command: `${command}\nmp-mtl report --results ${directory} --out report.html`,
    }),
  );
  return {
    title: "Privacy and accuracy of multi-task learning",
    notes: notesOn(results),
    command,
    tables: [accuracyTable(rows)],
    figures,
    configuration: results.configuration,
  };
}
