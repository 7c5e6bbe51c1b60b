/**
 * Whether 95 % intervals of the fixed effects hold, of columns that tell as much as is predicted and of others, on simulated tasks of numbers.
 *
 *   npm run bench:columns-standard-errors -- [--epsilon 0.3,1,4,10] [--fits 60] [--settings constant-12,part-6,...]
 *
 * For each setting and kind of column: the root mean square of error by standard error, the percentage of intervals that hold the truth, and
 * the middle standard error. Features are uniform from -2 to 2, which is their declared range; a constant column is so between tasks and the same in all rows of
 * one, a column in a part is uniform on a fifth of it. Slopes of tasks have deviation .15, intercepts 1, rows .5; delta is 1e-3. Seeded.
 */
import seedrandom from "seedrandom";
import { among, parseArgs } from "../parse-args.js";
import { makeEstimator, TaskSet } from "../../build/modules/index.js";
import { mean, median } from "./means.js";

/** Tasks, rows of each, and columns by kind: how many, and how their effects are drawn. */
const SETTINGS = {
  "varying-6": { m: 150, n: 6, columns: [["varies", 2, normals(0.4)]] },
  "constant-12": {
    m: 100,
    n: 12,
    columns: [
      ["varies", 3, normals(0.4)],
      ["constant", 1, normals(0.4)],
    ],
  },
  "constant-40": {
    m: 100,
    n: 40,
    columns: [
      ["varies", 2, normals(0.15)],
      ["constant", 1, () => 0.5],
    ],
  },
  "ten-6": { m: 60, n: 6, columns: tenColumns() },
  "ten-20": { m: 60, n: 20, columns: tenColumns() },
  "part-6": {
    m: 150,
    n: 6,
    columns: [
      ["varies", 1, normals(0.4)],
      ["part", 1, () => 1],
    ],
  },
  "both-8": {
    m: 300,
    n: 8,
    columns: [
      ["varies", 3, normals(0.4)],
      ["constant", 1, normals(0.4)],
      ["part", 1, normals(0.4)],
    ],
  },
};

function normals(deviation) {
  return ({ normal }) => deviation * normal();
}

/** One large effect of ten. */
function tenColumns() {
  return [
    ["large", 1, () => 0.5],
    ["others", 9, ({ uniform }) => 0.2 * uniform() - 0.1],
  ];
}

const { values: options } = parseArgs({
  options: {
    epsilon: { type: "string", default: "0.3,1,4,10" },
    fits: { type: "string", default: "60" },
    settings: { type: "string", default: Object.keys(SETTINGS).join(",") },
  },
});
const epsilons = options.epsilon.split(",").map(Number);
const settings = among("settings", options.settings.split(","), Object.keys(SETTINGS));

function draws(seed) {
  const uniform = seedrandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

/** Tasks with the truth, and the kind of each coefficient. */
function drawTasks({ m, n, columns }, seed) {
  const random = draws(seed);
  const { uniform, normal } = random;
  const kinds = columns.flatMap(([kind, count]) => new Array(count).fill(kind));
  const slopes = columns.flatMap(([, count, effect]) =>
    Array.from({ length: count }, () => effect(random)),
  );
  const truth = [...slopes, -0.4];
  const value = (kind) => (kind === "part" ? 0.4 : 2) * (2 * uniform() - 1);
  const tasks = Array.from({ length: m }, (_, i) => {
    const w = truth.map((effect, c) => effect + (c < kinds.length ? 0.15 : 1) * normal());
    const own = kinds.map(value);
    const x = Array.from({ length: n }, () =>
      kinds.map((kind, c) => (kind === "constant" ? own[c] : value(kind))),
    );
    const y = x.map(
      (row) => row.reduce((sum, one, c) => sum + one * w[c], w.at(-1)) + 0.5 * normal(),
    );
    return { name: `${i}`, x, y };
  });
  return { tasks: TaskSet.from(tasks, {}), truth, kinds: [...kinds, "intercept"] };
}

const head = epsilons.map((epsilon) => `eps ${epsilon}`).join(" | ");
console.log(`| setting | effects of | ${head} |\n| --- | --- |${" --- |".repeat(epsilons.length)}`);
for (const name of settings) {
  /** By kind and epsilon: errors by standard errors, and these. */
  const found = new Map();
  for (const epsilon of epsilons) {
    for (let fit = 0; fit < Number(options.fits); fit++) {
      const { tasks, truth, kinds } = drawTasks(SETTINGS[name], `${name} ${fit}`);
      const random = { mode: "seeded", seed: `${fit}` };
      const given = { loss: "squared", scale: "unit", epsilon, delta: 1e-3, random };
      const model = await makeEstimator("mp-mixed", given).fit(tasks);
      model.summary().coefficients.forEach(({ estimate, standardError }, c) => {
        const key = `${kinds[c]} | ${epsilon}`;
        const of = found.get(key) ?? { ratios: [], errors: [] };
        of.ratios.push((estimate - truth[c]) / standardError);
        of.errors.push(standardError);
        found.set(key, of);
      });
    }
  }
  for (const kind of new Set([...found.keys()].map((key) => key.split(" | ")[0]))) {
    const cells = epsilons.map((epsilon) => {
      const { ratios, errors } = found.get(`${kind} | ${epsilon}`);
      const size = Math.sqrt(mean(ratios.map((ratio) => ratio ** 2))).toFixed(2);
      const hold = mean(ratios.map((ratio) => (Math.abs(ratio) < 1.96 ? 100 : 0))).toFixed(0);
      return `${size}, ${hold} %, ${median(errors).toFixed(3)}`;
    });
    console.log(`| ${name} | ${kind} | ${cells.join(" | ")} |`);
  }
}
