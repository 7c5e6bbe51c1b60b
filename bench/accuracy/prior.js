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
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeEstimator, Pipeline, simulate, tasksFromTable } from "../../dist/index.js";
import { readTable } from "../../dist/node/index.js";

const { values: options } = parseArgs({
  options: {
    replicates: { type: "string", default: "10" },
    seeds: { type: "string", default: "table" },
    sets: { type: "string", default: "low-rank,group-sparse,school,landmine" },
    epsilon: { type: "string", default: "0.1,0.3,1,3,10" },
    methods: { type: "string" },
    "data-folder": {
      type: "string",
      default: fileURLToPath(new URL("../../../shared/data", import.meta.url)),
    },
  },
});
const EPSILONS = options.epsilon.split(",").map(Number);
const SEEDS = Array.from({ length: Number(options.replicates) }, (_, k) => `${options.seeds}-${k}`);

/** A CSV with columns task, y, x1, x2, ... split within every task, 30 % for training. */
function table(file, features) {
  let tasks;
  return async (seed) => {
    if (!tasks) {
      const read = await readTable(join(options["data-folder"], file));
      const columns = Array.from({ length: features }, (_, j) => `x${j + 1}`);
      const raw = tasksFromTable(read, { task: "task", target: "y", features: columns }).tasks;
      tasks = Pipeline.fit(raw, [{ kind: "unit-rows" }]).apply(raw);
    }
    return tasks.split({ trainFraction: 0.3, seed });
  };
}

const error = { name: "nMSE", of: (scores) => scores.nmse, better: -1 };
const area = { name: "mean AUC", of: (scores) => scores.auc, better: 1 };
const SETS = {
  "low-rank": {
    metric: error,
    data: (seed) => simulate({ pattern: "low-rank", seed }),
    weights: [1e-5, 1e-4, 3e-4, 1e-3, 3e-3],
    central: ["trace-norm", [0.1, 0.2, 0.3, 0.5, 1]],
  },
  "group-sparse": {
    metric: error,
    data: (seed) => simulate({ pattern: "group-sparse", seed }),
    weights: [1e-5, 1e-4, 3e-4, 1e-3, 3e-3],
    central: ["group-sparse", [0.1, 0.2, 0.3, 0.5, 1]],
  },
  school: {
    metric: error,
    file: "school.csv.gz",
    data: table("school.csv.gz", 27),
    weights: [1e-5, 3e-5, 1e-4, 3e-4],
    central: ["trace-norm", [0.05, 0.1, 0.15, 0.2, 0.3]],
  },
  landmine: {
    metric: area,
    file: "landmine.csv.gz",
    data: table("landmine.csv.gz", 9),
    weights: [1e-3, 1e-2, 3e-2, 0.1, 0.3],
    central: ["trace-norm", [1e-2, 3e-2, 0.1, 0.3]],
    common: { loss: "logistic", intercept: true },
  },
};
const METHODS = [
  ["mp-feature-learning", {}],
  ["mp-feature-learning", { sharing: "diagonal" }],
  ["mp-hierarchical", {}],
].filter(([method]) => !options.methods || options.methods.split(",").includes(method));

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const standardError = (list) => {
  const center = mean(list);
  const squares = list.reduce((sum, value) => sum + (value - center) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, list.length - 1) / list.length);
};
const inErrors = (gains) => {
  const spread = standardError(gains);
  return spread > 0 ? (mean(gains) / spread).toFixed(1) : mean(gains) === 0 ? "0" : "-";
};
const digits = (value) => value.toFixed(4).replace(/^(-?)0/, "$1");
const cell = (list) => `${digits(mean(list))} ± ${digits(standardError(list))}`;

for (const name of options.sets.split(",")) {
  const { metric, data, file, weights, central, common = {} } = SETS[name];
  if (file && !existsSync(join(options["data-folder"], file))) {
    console.log(`\n${name}: skipped, ${file} is not in the data folder`);
    continue;
  }
  const sets = [];
  for (const seed of SEEDS) sets.push(await data(seed));
  const scores = async (method, chosen) => {
    const out = [];
    for (const [k, { train, test }] of sets.entries()) {
      const given = typeof chosen === "function" ? chosen(SEEDS[k]) : chosen;
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
    scores(method, (seed) => ({ random: { mode: "seeded", seed }, epsilon, ...chosen }));
  const alone = await privately("mp-feature-learning", { choice: "local", delta: 1e-9 }, 1e-6);
  console.log(`\n${name}, ${metric.name} over ${SEEDS.length} replicates`);
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
