/**
 * `report`: one self-contained HTML file from an evaluation, a fitted model, or both.
 * @module
 */
import { OptionError } from "../../core/index.js";
import { writeFileAtomically } from "../../node/index.js";
import { defineCommand, type Values } from "../command.js";
import { readModelDirectory } from "../model-directory.js";
import { text } from "../values.js";

const options = {
  results: {
    value: "DIR",
    help: "The directory that evaluate --out wrote.",
    schema: text("a directory name"),
  },
  model: {
    value: "DIR",
    help:
      "The directory that fit --out wrote: adds its eps over rounds, models and task relationships, " +
      "which are for the curator's eyes only.",
    schema: text("a directory name"),
  },
  out: {
    value: "FILE",
    help: "HTML file to write; it needs no network and no script.",
    schema: text("a file name"),
    required: true,
  },
  title: { value: "TEXT", help: "Title of the report.", schema: text("a title") },
} as const;

async function run(values: Values<typeof options>) {
  const { results, model, out } = values;
  if (results === undefined && model === undefined) {
    throw new OptionError("--results or --model needed: without them there is nothing to report.");
  }
  const { reportHtml } = await import("../../report/index.js");
  const { evaluationReport } = await import("../evaluation/report.js");
  const { modelFigures } = await import("../model-figures.js");
  const evaluation = results === undefined ? undefined : await evaluationReport(results);
  const fitted = model === undefined ? undefined : await readModelDirectory(model);
  const ofModel = fitted
    ? modelFigures(fitted, `mp-mtl report --model ${model!} --out ${out}`)
    : [];
  const curatorOnly =
    fitted && fitted.guarantee.kind !== "none"
      ? [
          "This report shows all tasks' models: it is for the curator only, no part of the guarantee.",
        ]
      : [];
  const report = {
    title: values.title ?? evaluation?.title ?? `Model fitted by ${fitted!.method}`,
    notes: [...curatorOnly, ...(evaluation?.notes ?? [])],
    command: evaluation?.command ?? `mp-mtl report --model ${model!} --out ${out}`,
    tables: evaluation?.tables ?? [],
    figures: [...(evaluation?.figures ?? []), ...ofModel],
    ...(evaluation ? { configuration: evaluation.configuration } : {}),
  };
  const html = reportHtml(report);
  await writeFileAtomically(out, html);
  const figures = report.figures.map(({ name }) => name);
  return {
    document: { out, figures, tables: report.tables.map(({ name }) => name) },
    text: `${figures.length} figures written to ${out}`,
  };
}

export const reportCommand = defineCommand({
  options,
  examples: [
    "report --results results --out report.html",
    "report --results results --model model --out report.html",
  ],
  run,
});
