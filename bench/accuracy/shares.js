/**
 * What a budget buys at public sizes: the share of the distance from learning alone to learning together without noise that
 * the private mixed model closes, on simulated tables of many sizes.
 *
 *   npm run bench:shares -- [--tasks 3,10,30,100,300] [--features 2,5,12] [--epsilon 0.3,1,3,10] [--replicates 2]
 *
 * Rows: 3 to 17 a task, features even on [-1, 1]; models scatter around common ones with a spread drawn anew for every
 * table; the noise too. Prints a line for each size and budget, and medians by signal, mu m / (d + 1), from which the
 * table of src/learning/auto/expected-share.ts was made. delta = 1/(m ln m), replace adjacency, seeded.
 */
import { parseArgs } from "node:util";
import seedrandom from "seedrandom";
import { makeEstimator, TaskSet } from "../../build/modules/index.js";
import { gaussianMu, resolveDelta } from "../../build/modules/privacy/index.js";

const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "3,10,30,100,300" },
    features: { type: "string", default: "2,5,12" },
    epsilon: { type: "string", default: "0.3,1,3,10" },
    replicates: { type: "string", default: "2" },
  },
});
const numbers = (text) => text.split(",").map(Number);

/** Training and test rows of a table: tasks' models around a common one. */
function simulated(m, d, seed) {
  const random = seedrandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const [mean, spread, noise] = [0.6, 0.1 + 0.4 * random(), 0.2 + 0.4 * random()];
  const common = Array.from({ length: d + 1 }, () => (mean * normal()) / Math.sqrt(d));
  const drawn = Array.from({ length: m }, (_, i) => {
    const w = common.map((value) => value + (spread * normal()) / Math.sqrt(d));
    const rows = (n) => {
      const x = Array.from({ length: n }, () => Array.from({ length: d }, () => 2 * random() - 1));
      const y = x.map(
        (row) => row.reduce((s, v, k) => s + v * w[k], w[d]) + (noise / 2) * normal(),
      );
      return { name: `t${i}`, x, y };
    };
    return { train: rows(3 + Math.floor(15 * random())), test: rows(30) };
  });
  const set = (part) => TaskSet.from(drawn.map((one) => one[part]));
  return { train: set("train"), test: set("test") };
}

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const found = [];
for (const m of numbers(values.tasks)) {
  for (const d of numbers(values.features)) {
    const drawn = Array.from({ length: Number(values.replicates) }, (_, k) =>
      simulated(m, d, `shares-${m}-${d}-${k}`),
    );
    const fits = async (method, options) =>
      Promise.all(
        drawn.map(async ({ train, test }) => {
          const model = await makeEstimator(method, options).fit(train);
          return model.score(test).nmse;
        }),
      );
    const given = {
      scale: "unit",
      delta: m < 3 ? 0.1 : "papers",
      random: { mode: "seeded", seed: 1 },
    };
    const alone = await fits("single-task", {});
    const exact = await fits("mp-mixed", { ...given, epsilon: 1e5 });
    for (const epsilon of numbers(values.epsilon)) {
      const own = await fits("mp-mixed", { ...given, epsilon });
      const mu = gaussianMu(epsilon, resolveDelta("papers", m));
      const share = median(own.map((value, k) => (alone[k] - value) / (alone[k] - exact[k])));
      const signal = (mu * m) / (d + 1);
      found.push({ signal, share });
      console.log(
        `m ${m}, d ${d}, eps ${epsilon}: signal ${signal.toFixed(2)}, share ${share.toFixed(2)}`,
      );
    }
  }
}
console.log("\n| signal | share |\n| --- | --- |");
for (let from = 0.1; from < 3000; from *= 3) {
  const inside = found.filter(({ signal }) => signal >= from && signal < 3 * from);
  if (inside.length === 0) continue;
  console.log(
    `| ${from.toFixed(1)} to ${(3 * from).toFixed(1)} | ${median(inside.map(({ share }) => share)).toFixed(2)} (${inside.length}) |`,
  );
}
