/**
 * Algorithms 2 and 3 and the record-level baselines on both simulated data sets, with noise whose guarantee holds and, at nominal
 * eps, with both texts' noise: the figure on privacy and accuracy as the paper has it.
 */
import { accuracyFigure } from "../../../build/modules/report/index.js";
import { EPSILONS, methodsOf } from "../settings.js";
import { OLDER } from "./older-noise.js";

const [[, algorithm2]] = methodsOf("low-rank", ["mp-low-rank"]);
const [[, algorithm3]] = methodsOf("group-sparse", ["mp-group-sparse"]);
const baselines = methodsOf("low-rank", ["dp-aggregation", "dp-task-relationship"]);

const VARIANTS = [
  ["Algorithm 2", "mp-low-rank", algorithm2],
  ["Algorithm 3", "mp-group-sparse", algorithm3],
  ["Algorithm 2, newest text's noise", "mp-low-rank", { ...algorithm2, mechanism: "wishart" }],
  ["Algorithm 3, newest text's noise", "mp-group-sparse", { ...algorithm3, mechanism: "wishart" }],
  ["Algorithm 2, older text's noise", "mp-low-rank", { ...algorithm2, ...OLDER }],
  ["Algorithm 3, older text's noise", "mp-group-sparse", { ...algorithm3, ...OLDER }],
  ...baselines.map(([method, options]) => [method, method, options]),
];

async function onPattern(harness, pattern) {
  const data = { kind: "simulation", options: { pattern } };
  const joint = pattern === "low-rank" ? "trace-norm" : "group-sparse";
  const name = `both-algorithms-${pattern}`;
  const references = methodsOf(pattern, ["single-task", joint]);
  const rows = await harness.evaluate(name, { methods: references, epsilons: EPSILONS, data });
  rows.push(...(await harness.evaluateVariants(name, VARIANTS, { epsilons: EPSILONS, data })));
  return accuracyFigure(rows, "nmse", {
    name,
    title: `Both algorithms and the baselines, ${pattern} data`,
    caption:
      "320 tasks of 30 rows, 30 features, delta 1/(m log m). With the texts' one-sided Wishart noise eps is nominal and NO guarantee " +
      "holds; the other guarantees hold, the baselines' lifted from a record to a task. Mean over replicates; the band is one standard error to each side.",
    command: harness.command("both-algorithms"),
  });
}

export async function bothAlgorithms(harness) {
  return [await onPattern(harness, "low-rank"), await onPattern(harness, "group-sparse")];
}
