/**
 * `report`: one self-contained HTML file from an evaluation, a fitted model, or both.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { OptionError } from "../../core/index.js";
import { writeFileAtomically } from "../../node/index.js";
import type { Figure } from "../../report/index.js";
import { defineCommand, type Values } from "../options/command.js";
import { guaranteeLines } from "../fitted/guarantee-text.js";
import { promiseInWords } from "../fitted/promise-in-words.js";
import { readModelDirectory } from "../fitted/model-directory.js";
import { SECTORS } from "../registry/schema.js";
import { shellWord } from "../words/shell-word.js";
import { choice, list, text } from "../options/values.js";

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
    help: "HTML file to write; it needs no network and no script. Needed unless --registry is given.",
    schema: text("a file name"),
  },
  registry: {
    value: "FILE",
    help:
      "Also write an entry for the public registry of deployments of differential privacy (YAML), checked against its form. Of " +
      "what the model cannot say, --intent, --region and --authors are needed.",
    schema: text("a file name"),
    group: "registry",
  },
  intent: {
    value: "TEXT",
    help: "What the models are to be used for.",
    schema: text("a sentence"),
    group: "registry",
  },
  region: {
    value: "TEXT",
    help: "What region the data describe, or whose laws apply.",
    schema: text("a region"),
    group: "registry",
  },
  authors: {
    value: "A,B",
    help: "Who fills out the entry.",
    schema: list("names separated by commas"),
    group: "registry",
  },
  curators: {
    value: "A,B",
    help: "Who publishes the models; the authors where it is left out.",
    schema: list("names separated by commas"),
    group: "registry",
  },
  sector: {
    value: SECTORS.join("|"),
    help: "The domain of the data.",
    schema: choice(...SECTORS),
    group: "registry",
  },
  date: {
    value: "YYYY-MM-DD",
    help: "When the models were published; today where it is left out.",
    schema: text("a date"),
    group: "registry",
  },
  title: { value: "TEXT", help: "Title of the report.", schema: text("a title") },
} as const;

/** Writes the model's entry of the registry; nothing is asked that the model says itself. */
async function writeRegistry(path: string, values: Values<typeof options>) {
  const { model, intent, region, authors, curators, sector, title } = values;
  const needed = { model, intent, region, authors };
  const missing = Object.entries(needed).filter(([, value]) => value === undefined);
  if (missing.length > 0) {
    throw new OptionError(
      `--registry: ${missing.map(([name]) => `--${name}`).join(", ")} needed, which the model does not say.`,
    );
  }
  const { registryEntry } = await import("../registry/entry.js");
  const { dump } = await import("js-yaml");
  const date = values.date ?? new Date().toISOString().slice(0, 10);
  const answers = { intent: intent!, region: region!, authors: authors!, curators, sector, date };
  const entry = registryEntry(await readModelDirectory(model!), { ...answers, name: title });
  await writeFileAtomically(path, dump(entry, { noRefs: true, lineWidth: -1 }));
  return { document: { file: path, entry }, text: `registry entry, tier 3, written to ${path}` };
}

const same = (figure: Figure) => figure;

/** Beside the figures of an evaluation, which have the same names. */
const asFitted = (figure: Figure): Figure => ({
  ...figure,
  name: `fitted-${figure.name}`,
  title: `${figure.title} of the fitted model`,
});

async function run(values: Values<typeof options>) {
  const { results, model, out, registry } = values;
  if (out === undefined && registry === undefined) throw new OptionError("--out is needed.");
  if (out !== undefined && !/\.html?$/i.test(out)) {
    throw new OptionError("--out: expected a name that ends in .html: a report is one HTML file.");
  }
  const entry = registry === undefined ? undefined : await writeRegistry(registry, values);
  if (out === undefined) return entry!;
  if (results === undefined && model === undefined) {
    throw new OptionError("--results or --model needed: without them there is nothing to report.");
  }
  const { reportHtml } = await import("../../report/index.js");
  const { evaluationReport } = await import("../evaluation/findings/report.js");
  const { coefficientTable, modelConclusion, modelFigures } =
    await import("../fitted/model-figures.js");
  const evaluation = results === undefined ? undefined : await evaluationReport(results);
  const fitted = model === undefined ? undefined : await readModelDirectory(model);
  const command = `mp-mtl report --model ${shellWord(model ?? "")} --out ${shellWord(out)}`;
  const ofModel = fitted ? modelFigures(fitted, command).map(evaluation ? asFitted : same) : [];
  const curatorOnly =
    fitted && fitted.guarantee.kind !== "none"
      ? [
          "This report shows all tasks' models: it is for the curator only, no part of the guarantee.",
        ]
      : [];
  const report = {
    title: values.title ?? evaluation?.title ?? `Model fitted by ${fitted!.method}`,
    conclusion: [...(evaluation?.conclusion ?? []), ...(fitted ? modelConclusion(fitted) : [])],
    guarantee: [
      ...(evaluation?.guarantee ?? []),
      ...(fitted
        ? [...promiseInWords(fitted), ...guaranteeLines(fitted.guarantee), ...curatorOnly]
        : []),
    ],
    notes: evaluation?.notes ?? [],
    command: evaluation?.command ?? command,
    tables: [...(evaluation?.tables ?? []), ...(fitted ? coefficientTable(fitted) : [])],
    figures: [...(evaluation?.figures ?? []), ...ofModel],
    ...(evaluation ? { configuration: evaluation.configuration } : {}),
  };
  const html = reportHtml(report);
  // Models are in it, as in the directory that it was made from.
  const secret = fitted !== undefined || evaluation?.ofRows === true;
  await writeFileAtomically(out, html, { secret });
  const figures = report.figures.map(({ name }) => name);
  return {
    document: {
      out,
      figures,
      tables: report.tables.map(({ name }) => name),
      ...(entry ? { registry: entry.document } : {}),
    },
    text: [
      `${counted(figures.length, "figure")} written to ${out}`,
      ...(entry ? [entry.text] : []),
    ].join("\n"),
  };
}

export const reportCommand = defineCommand({
  options,
  examples: [
    "report --results results --out report.html",
    "report --results results --model model --out report.html",
    'report --model model --registry entry.yaml --intent "Plan lessons" --region Scotland --authors "A. Author"',
  ],
  run,
});
