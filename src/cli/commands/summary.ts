/**
 * `summary`: what a fitted model says, in named coefficients, and under which guarantee.
 * @module
 */
import { defineCommand, type Values } from "../command.js";
import { guaranteeLines } from "../guarantee-text.js";
import { modelDirectoryOption, readModelDirectory } from "../model-directory.js";
import { summaryLines } from "../summary-text.js";

const options = {
  model: modelDirectoryOption,
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
