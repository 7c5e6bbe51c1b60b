/**
 * Accuracy of the methods that share a prior, against each task alone, on the papers' synthetic data,
 * School and landmine: nothing is tuned outside the budget.
 *
 *   npm run bench:prior -- [--replicates N] [--seeds PREFIX] [--data-folder DIR]
 *                          [--sets low-rank,group-sparse,school,landmine] [--epsilon 0.1,0.3,1,3,10]
 *
 * Prints Markdown: mean +- standard error over replicates of the test nMSE (landmine: mean AUC), and
 * the mean paired differences to learning alone by the same local rule, in units of its own standard
 * error, and to the non-private method +- its standard error (positive: sharing is better). Replicate k has the seed "PREFIX-k" for data, split and
 * noise; delta = 1/(m log m), replace adjacency. Sets that are not there are skipped, saying so.
 */
import { parseArgs } from "../parse-args.js";
import { makeEstimator } from "../../build/modules/index.js";
import { mean } from "./means.js";
import { cell, inErrors, readSets, setOptions } from "./sets.js";

const { values: options } = parseArgs({
  options: { ...setOptions, replicates: { type: "string", default: "10" } },
});
const EPSILONS = options.epsilon.split(",").map(Number);

/** Weights of the single task, and the non-private method with its weights, that are tried on the test rows. */
const TUNED = {
  "low-rank": {
    weights: [1e-5, 1e-4, 3e-4, 1e-3, 3e-3],
    central: ["trace-norm", [0.1, 0.2, 0.3, 0.5, 1]],
  },
  "group-sparse": {
    weights: [1e-5, 1e-4, 3e-4, 1e-3, 3e-3],
    central: ["group-sparse", [0.1, 0.2, 0.3, 0.5, 1]],
  },
  school: {
    weights: [1e-5, 3e-5, 1e-4, 3e-4],
    central: ["trace-norm", [0.05, 0.1, 0.15, 0.2, 0.3]],
  },
  landmine: {
    weights: [1e-3, 1e-2, 3e-2, 0.1, 0.3],
    central: ["trace-norm", [1e-2, 3e-2, 0.1, 0.3]],
  },
};
const METHODS = [
  ["mp-feature-learning", {}],
  ["mp-feature-learning", { sharing: "diagonal" }],
  ["mp-hierarchical", {}],
].filter(([method]) => !options.methods || options.methods.split(",").includes(method));

for await (const { name, metric, common, drawn } of readSets(options)) {
  const { weights, central } = TUNED[name];
  const scores = async (method, chosen) => {
    const out = [];
    for (const { seed, train, test } of drawn) {
      const given = typeof chosen === "function" ? chosen(seed) : chosen;
      const model = await makeEstimator(method, { ...common, ...given }).fit(train);
      out.push(metric.of(model.score(test)));
    }
    return out;
  };
  /** The weight with the best mean score on the test rows: what tuning outside the budget could reach. */
  const tuned = async (method, lambdas) => {
    let best;
    for (const lambda of lambdas) {
      const list = await scores(method, { lambda });
      if (!best || metric.better * (mean(list) - mean(best.list)) > 0) best = { lambda, list };
    }
    return best;
  };
  const privately = (method, chosen, epsilon) =>
    scores(method, (seed) => ({
      random: { mode: "seeded", seed },
      delta: "papers",
      epsilon,
      ...chosen,
    }));
  const alone = await privately("mp-feature-learning", { choice: "local", delta: 1e-9 }, 1e-6);
  console.log(`\n${name}, ${metric.name} over ${drawn.length} replicates`);
  console.log(`- single task, by the same local rule: ${cell(alone)}`);
  const notPrivate = await tuned(...central);
  const outside = ({ list, lambda }) =>
    `${cell(list)} (weight ${lambda}, the best on the test rows)`;
  console.log(`- single task: ${outside(await tuned("single-task", weights))}`);
  console.log(`- not private, ${central[0]}: ${outside(notPrivate)}\n`);
  console.log(`| eps | ${EPSILONS.join(" | ")} |`);
  console.log(`| --- |${" --- |".repeat(EPSILONS.length)}`);
  for (const [method, chosen] of METHODS) {
    const cells = [];
    const overAlone = [];
    const overCentral = [];
    for (const epsilon of EPSILONS) {
      const list = await privately(method, chosen, epsilon);
      const gains = (than) => list.map((score, k) => metric.better * (score - than[k]));
      cells.push(cell(list));
      overAlone.push(inErrors(gains(alone)));
      overCentral.push(cell(gains(notPrivate.list)));
    }
    const label = `\`${[method, ...Object.values(chosen)].join(" ")}\``;
    console.log(`| ${label} | ${cells.join(" | ")} |`);
    console.log(`| gain over alone, in standard errors | ${overAlone.join(" | ")} |`);
    console.log(`| gain over ${central[0]} | ${overCentral.join(" | ")} |`);
  }
}
