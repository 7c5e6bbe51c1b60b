/**
 * `summary`: what a fitted model says, in named coefficients, and under which guarantee.
 * @module
 */
import { counted } from "../../core/counted.js";
import { OptionError } from "../../core/errors.js";
import type { FittedModel } from "../../learning/index.js";
import { priorText } from "../../model/index.js";
import { writeFileAtomically } from "../../node/index.js";
import { defineCommand, type Values } from "../command.js";
import { guaranteeLines } from "../guarantee-text.js";
import { modelDirectoryOption, readModelDirectory } from "../model-directory.js";
import { summaryLines } from "../summary-text.js";
import { text } from "../values.js";

const options = {
  model: modelDirectoryOption,
  priorOut: {
    value: "FILE",
    help:
      "Where to write what owners who come later need (JSON, for fit --shared-prior): what the model says of tasks in general, and " +
      "nothing of any of its own.",
    schema: text("a file name"),
  },
} as const;

/** Who may have what was written. */
const writtenLine = (path: string, { guarantee }: FittedModel) =>
  `what owners who come later need is in ${path}; ` +
  (guarantee.private
    ? "the guarantee covers it, whoever has it"
    : "no noise that holds hides whose rows it is made of");

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
  const summary = model.summary();
  const { guarantee, m, d, method, loss } = model;
  const lines = [
    `${method}: ${counted(m, "task")}, ${counted(d, "feature")}, ${loss} loss`,
    ...summaryLines(summary),
    ...guaranteeLines(guarantee),
    ...(priorOut === undefined ? [] : [writtenLine(priorOut, model)]),
  ];
  return { document: { ...summary, guarantee }, text: lines.join("\n") };
}

export const summaryCommand = defineCommand({
  options,
  examples: ["summary --model model", "summary --model model --prior-out prior.json"],
  run,
});
