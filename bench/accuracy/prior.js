/**
 * Accuracy of the methods that share a prior, against each task alone, on the papers' synthetic data
 * and on School: nothing is tuned outside the budget.
 *
 *   npm run bench:prior -- [--replicates N] [--sets low-rank,group-sparse,school] [--school FILE]
 *
 * Prints the mean test nMSE of every method at each eps, delta = 1/(m log m), replace adjacency.
 * School (task,y,x1..x28 as CSV, gzipped) is skipped, saying so, where the file is absent.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { makeEstimator, simulate, TaskSet } from "../../dist/index.js";

const { values: options } = parseArgs({
  options: {
    replicates: { type: "string", default: "5" },
    sets: { type: "string", default: "low-rank,group-sparse,school" },
    school: {
      type: "string",
      default: fileURLToPath(new URL("../../../shared/data/school.csv.gz", import.meta.url)),
    },
  },
});
const EPSILONS = [0.1, 0.3, 1, 3, 10];

/** 27 features scaled to unit rows, 30 % of every school's rows for training. */
function school(seed) {
  const lines = gunzipSync(readFileSync(options.school)).toString().trim().split("\n").slice(1);
  const tasks = new Map();
  for (const line of lines) {
    const [task, y, ...x] = line.split(",").map(Number);
    const name = `school-${task}`;
    if (!tasks.has(name)) tasks.set(name, { name, x: [], y: [] });
    const row = x.slice(0, 27);
    const norm = Math.hypot(...row);
    tasks.get(name).x.push(row.map((value) => value / norm));
    tasks.get(name).y.push(y);
  }
  return TaskSet.from([...tasks.values()]).split({ trainFraction: 0.3, seed });
}

const SETS = {
  "low-rank": (seed) => simulate({ pattern: "low-rank", seed }),
  "group-sparse": (seed) => simulate({ pattern: "group-sparse", seed }),
  school,
};
const METHODS = [
  ["mp-feature-learning", {}],
  ["mp-feature-learning", { sharing: "diagonal" }],
  ["mp-hierarchical", {}],
];

/** Each task alone by the same rule: what feature learning tends to as eps goes to 0. */
const ALONE = ["mp-feature-learning", { epsilon: 1e-6, delta: 1e-9, choice: "local" }];

async function score([method, chosen], { train, test }, epsilon, seed) {
  const random = { mode: "seeded", seed };
  const model = await makeEstimator(method, { epsilon, random, ...chosen }).fit(train);
  return model.score(test).nmse;
}

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

for (const name of options.sets.split(",")) {
  if (name === "school" && !existsSync(options.school)) {
    console.log(`school: skipped, ${options.school} is not there`);
    continue;
  }
  const seeds = Array.from({ length: Number(options.replicates) }, (_, k) => k);
  const data = seeds.map((seed) => SETS[name](seed));
  const over = async (fit) => mean(await Promise.all(seeds.map((seed) => fit(data[seed], seed))));
  const best = [];
  for (const sets of data) {
    const found = [];
    for (let k = -11; k <= -4; k++) {
      const model = await makeEstimator("single-task", { lambda: 10 ** (k / 2) }).fit(sets.train);
      found.push(model.score(sets.test).nmse);
    }
    best.push(Math.min(...found));
  }
  console.log(`\n${name}, nMSE at eps ${EPSILONS.join(", ")}`);
  console.log(`single task, best pooled weight on the test data: ${mean(best).toFixed(4)}`);
  const alone = await over((sets, seed) => score(ALONE, sets, 1, seed));
  console.log(`single task, by the same rule: ${alone.toFixed(4)}`);
  for (const method of METHODS) {
    const figures = [];
    for (const epsilon of EPSILONS) {
      figures.push((await over((sets, seed) => score(method, sets, epsilon, seed))).toFixed(4));
    }
    console.log(
      `${[method[0], ...Object.values(method[1])].join(" ").padEnd(30)} ${figures.join(" ")}`,
    );
  }
}
