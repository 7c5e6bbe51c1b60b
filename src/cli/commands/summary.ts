/**
 * `summary`: what a fitted model says, in named coefficients, and under which guarantee.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { OptionError } from "../../core/errors.js";
import { summarizeTask } from "../../learning/fitted/summary/task-summary.js";
import { learnedWithoutCharge } from "../../learning/fitted/uncharged-figures.js";
import type { FittedModel } from "../../learning/index.js";
import { priorText } from "../../model/index.js";
import { writeFileAtomically } from "../../node/index.js";
import { defineCommand, type Values } from "../options/command.js";
import { coefficientText, taskCoefficientText } from "../fitted/coefficient-file.js";
import { guaranteeLines, learnedWords, ownerLines } from "../fitted/guarantee-text.js";
import { modelDirectoryOption, readModelDirectory } from "../fitted/model-directory.js";
import { protectionLines } from "../fitted/protection-text.js";
import { summaryLines, taskSummaryLines } from "../fitted/summary-text.js";
import { text } from "../options/values.js";

export { heldStatement } from "../fitted/held-statement.js";

const options = {
  model: modelDirectoryOption,
  task: {
    value: "NAME",
    help:
      "One task's own model instead: its coefficients, with intervals where the model knows them, and who is protected from whom, " +
      "also from whoever holds that model. For those who may have the model of that task.",
    schema: text("the name of a task"),
  },
  priorOut: {
    value: "FILE",
    help:
      "Where to write what owners who come later need (JSON, for fit --shared-prior): what the model says of tasks in general, " +
      "without its own tasks.",
    schema: text("a file name"),
  },
  coefficientsOut: {
    value: "FILE",
    help:
      "Where to write all coefficients, with every digit, as CSV: with standard errors and deviations between tasks where the model " +
      "knows them; with --task those of one task, with intervals.",
    schema: text("a file name"),
  },
} as const;

/** Who may have what was written. */
const writtenLine = (path: string, { guarantee }: FittedModel) =>
  `what owners who come later need is in ${path}; ` +
  (guarantee.private
    ? `the guarantee covers it, whoever has it${learnedWords(learnedWithoutCharge({ guarantee }))
        .map((what) => `, but for what it tells uncharged: ${what}`)
        .join("")}`
    : "no noise that holds hides whose rows it is made of");

/** What the model says of all its tasks. */
function ofAll(model: FittedModel) {
  const summary = model.summary();
  const { guarantee, m, d, method, loss } = model;
  const lines = [
    `${method}: ${counted(m, "task")}, ${counted(d, "feature")}, ${loss} loss`,
    ...summaryLines(summary),
    ...guaranteeLines(guarantee),
    ...protectionLines(model.protection),
  ];
  return { document: { ...summary, guarantee }, lines, table: coefficientText(summary) };
}

/** What it says of one of them, and what is promised to its owner. */
function ofTask(model: FittedModel, name: string) {
  const { guarantee, protection } = model.forTask(name);
  const summary = summarizeTask(model, model.taskNames.indexOf(name));
  const { m, d, method, loss } = model;
  const lines = [
    `${method}: the task ${JSON.stringify(name)} of ${m}, ${counted(d, "feature")}, ${loss} loss`,
    ...taskSummaryLines(summary),
    ...ownerLines(guarantee),
    ...protectionLines(protection),
  ];
  const table = taskCoefficientText(summary);
  return { document: { ...summary, guarantee, protection }, lines, table };
}

async function run(values: Values<typeof options>) {
  const model = await readModelDirectory(values.model);
  const { priorOut } = values;
  if (priorOut !== undefined) {
    if (!/\.json$/i.test(priorOut)) {
      throw new OptionError(
        "--prior-out: expected a name that ends in .json, by which fit --shared-prior knows it.",
      );
    }
    await writeFileAtomically(priorOut, priorText(model));
  }
  const { document, lines, table } =
    values.task === undefined ? ofAll(model) : ofTask(model, values.task);
  const written = priorOut === undefined ? [] : [writtenLine(priorOut, model)];
  const { coefficientsOut } = values;
  if (coefficientsOut !== undefined) {
    await writeFileAtomically(coefficientsOut, table);
    written.push(`coefficients written to ${coefficientsOut}`);
  }
  return { document, text: [...lines, ...written].join("\n") };
}

export const summaryCommand = defineCommand({
  options,
  examples: [
    "summary --model model",
    "summary --model model --task s7",
    "summary --model model --coefficients-out coefficients.csv",
    "summary --model model --prior-out prior.json",
  ],
  run,
});
