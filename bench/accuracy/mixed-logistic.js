/**
 * Log-loss of the private mixed model with the logistic loss beside learning alone, on simulated tasks of every kind
 * that tables have: alike, unrelated, with outliers, in clusters, few, tiny.
 *
 *   npm run bench:mixed-logistic -- [--sets intercepts,unrelated] [--epsilon 0.3,1,3,10] [--repetitions 3]
 *
 * Prints Markdown: learning alone (every task's average over public priors: mp-mixed at eps = .001), then the difference
 * that the budget makes, mean +- standard error over data sets; below zero is a gain. Twenty held-out rows a task,
 * delta = 1/(m ln m), replace adjacency, seeded noise and data.
 */
import { parseArgs } from "../parse-args.js";
import { makeEstimator, TaskSet } from "../../build/modules/index.js";
import { generator } from "../uniform-draws.js";
import { mean, meanAndError } from "./means.js";

/** Tasks, slopes, least and most rows; then a task's parameters: a common vector, its own normals, uniforms. */
const SETS = {
  intercepts: [300, 8, 3, 8, (a, z) => a.map((value, j) => value + (j === 8 ? 1.2 * z() : 0))],
  slopes: [400, 6, 6, 14, (a, z) => a.map((value) => value + 0.6 * z())],
  wide: [200, 20, 2, 6, (a, z) => a.map((value, j) => value + (j === 20 ? 0.8 : 0.2) * z())],
  pooled: [300, 8, 3, 8, (a) => a],
  unrelated: [150, 8, 8, 20, (a, z) => a.map(() => 1.5 * z())],
  "unrelated-tiny": [300, 8, 1, 4, (a, z) => a.map(() => 1.5 * z())],
  "unrelated-few": [20, 6, 10, 30, (a, z) => a.map(() => 1.5 * z())],
  few: [12, 8, 10, 60, (a, z) => a.map((value, j) => value + (j === 8 ? 1.2 * z() : 0))],
  outliers: [
    200,
    6,
    10,
    20,
    (a, z, u) => {
      const outlier = u() < 0.2;
      return a.map((value) => (outlier ? 3 * z() : value + 0.2 * z()));
    },
  ],
  clusters: [
    300,
    6,
    8,
    12,
    (a, z, u) => {
      const k = Math.floor(3 * u());
      return a.map((_, j) => 2 * Math.sin(7 * k + 3 * j + a[0]) + 0.2 * z());
    },
  ],
};

const { values: options } = parseArgs({
  options: {
    sets: { type: "string", default: Object.keys(SETS).join(",") },
    epsilon: { type: "string", default: "0.3,1,3,10" },
    repetitions: { type: "string", default: "3" },
  },
});

/** Features in [-1, 1], the first two of five or more dummies; labels by the logistic model. */
function simulate(name, seed) {
  const { uniform, normal } = generator(seed);
  const [m, d, least, most, parameters] = SETS[name];
  const common = Array.from({ length: d + 1 }, (_, j) =>
    j === d ? 0.5 * normal() - 0.7 : 0.7 * normal(),
  );
  const tasks = Array.from({ length: m }, (_, i) => {
    const w = parameters(common, normal, uniform);
    const rows = (n) => {
      const x = Array.from({ length: n }, () =>
        Array.from({ length: d }, (_, j) => {
          const value = Math.min(Math.max(normal() / 2, -1), 1);
          return d > 4 && j < 2 ? Number(value > 0.2) : value;
        }),
      );
      const y = x.map((row) => {
        const logOdds = row.reduce((sum, value, j) => sum + value * w[j], w[d]);
        return uniform() < 1 / (1 + Math.exp(-logOdds)) ? "yes" : "no";
      });
      return { name: `task ${i}`, x, y };
    };
    return { train: rows(least + Math.floor(uniform() * (most - least + 1))), test: rows(20) };
  });
  const setOf = (side) =>
    TaskSet.from(
      tasks.map((task) => task[side]),
      { labels: ["no", "yes"] },
    );
  return { train: setOf("train"), test: setOf("test") };
}

const epsilons = options.epsilon.split(",").map(Number);
console.log(`| set | alone | ${epsilons.map((eps) => `eps ${eps}`).join(" | ")} |`);
console.log(`| --- | --- |${epsilons.map(() => " --- |").join("")}`);
for (const name of options.sets.split(",")) {
  const losses = [1e-3, ...epsilons].map(() => []);
  for (let seed = 1; seed <= Number(options.repetitions); seed++) {
    const { train, test } = simulate(name, 7000 + 97 * seed);
    for (const [k, epsilon] of [1e-3, ...epsilons].entries()) {
      const model = await makeEstimator("mp-mixed", {
        loss: "logistic",
        epsilon,
        delta: "papers",
        scale: "unit",
        random: { mode: "seeded", seed: `${name}-${seed}` },
      }).fit(train);
      losses[k].push(model.score(test).logLoss);
    }
  }
  const [alone, ...shared] = losses;
  const cells = shared.map((list) => {
    const differences = list.map((value, k) => value - alone[k]);
    return meanAndError(differences);
  });
  console.log(`| ${[name, mean(alone).toFixed(4), ...cells].join(" | ")} |`);
}
