/**
 * `summary`: what a fitted model says, in named coefficients, and under which guarantee.
 * @module
 */
import { defineCommand, type Values } from "../command.js";
import { guaranteeLines } from "../guarantee-text.js";
import { readModelDirectory } from "../model-directory.js";
import { summaryLines } from "../summary-text.js";
import { text } from "../values.js";

const options = {
  model: {
    value: "DIR",
    help: "The directory that fit --out wrote.",
    schema: text("a directory name"),
    required: true,
  },
} as const;

async function run(values: Values<typeof options>) {
  const model = await readModelDirectory(values.model);
  const summary = model.summary();
  const { guarantee, m, d, method, loss } = model;
  const lines = [
    `${method}: ${m} tasks, ${d} features, ${loss} loss`,
    ...summaryLines(summary),
    ...guaranteeLines(guarantee),
  ];
  return { document: { ...summary, guarantee }, text: lines.join("\n") };
}

export const summaryCommand = defineCommand({
  options,
  examples: ["summary --model model"],
  run,
});
