/**
 * Feature learning that hides single records, on tasks that share two directions: simulated, since nothing else has both few
 * directions and many rows.
 *
 *   npm run bench:record-models -- [--rows 30,100,300] [--tasks 20,60] [--epsilon 0.3,1,3] [--draws 5]
 *
 * 20 normal features, models w = U c with U [20, 2] and c normal (y has a variance of about .8), noise of deviation .5; nMSE on 50 more rows of
 * every task, mean ± standard error over draws. record: delta = 1/(N ln N) for N rows; task: delta = min(1e-5, 1/m^2). Alone: mp-feature-learning
 * at an epsilon where nothing stands out. No privacy: the same at eps = 1e5. Replace adjacency, seeded noise, exact own models.
 */
import { parseArgs } from "../parse-args.js";
import { makeEstimator, TaskSet } from "../../build/modules/index.js";
import { lehmer } from "../uniform-draws.js";
import { meanAndError } from "./means.js";

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "30,100,300" },
    tasks: { type: "string", default: "20,60" },
    epsilon: { type: "string", default: "0.3,1,3" },
    draws: { type: "string", default: "5" },
  },
});
const numbers = (text) => text.split(",").map(Number);
const FEATURES = 20;
const RANK = 2;
const NOISE = 0.5;

/** Standard normals from a generator of its own, the same everywhere. */
function normals(seed) {
  const uniform = lehmer(seed * 7919 + 13);
  for (let k = 0; k < 20; k++) uniform();
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

const vector = (n, of) => Array.from({ length: n }, of);

function simulated(seed, m, n) {
  const normal = normals(seed);
  const basis = vector(RANK, () => vector(FEATURES, () => normal() / Math.sqrt(FEATURES)));
  const models = vector(m, () => {
    const mix = vector(RANK, normal);
    return vector(FEATURES, (_, k) => 0.9 * mix.reduce((sum, c, r) => sum + c * basis[r][k], 0) / Math.sqrt(RANK)); // prettier-ignore
  });
  const draw = (count) =>
    TaskSet.from(
      models.map((w, i) => {
        const x = vector(count, () => vector(FEATURES, normal));
        const y = x.map((row) => row.reduce((sum, v, k) => sum + v * w[k], 0) + NOISE * normal());
        return { name: `t${i}`, x, y };
      }),
    );
  return { train: draw(n), test: draw(50), seed };
}

async function score({ train, test, seed }, method, { epsilon, ...more }) {
  const n = train.size;
  const delta = more.unit === "record" ? 1 / (n * Math.log(n)) : "auto";
  const random = { mode: "seeded", seed: `${seed}-${epsilon}` };
  const noise = epsilon > 1e3 ? "float" : "auto";
  const model = await makeEstimator(method, { epsilon, delta, noise, ...more, random }).fit(train);
  return model.score(test).nmse;
}

const record = { unit: "record", scale: "unit" };
const epsilons = numbers(options.epsilon);
const columns = [
  ["alone", "mp-feature-learning", { epsilon: 1e-3 }],
  ...epsilons.flatMap((epsilon) => [
    [`mp-mixed, record, eps ${epsilon}`, "mp-mixed", { epsilon, ...record }],
    [`task, eps ${epsilon}`, "mp-feature-learning", { epsilon }],
    [`record, eps ${epsilon}`, "mp-feature-learning", { epsilon, ...record }],
  ]),
  ["no privacy", "mp-feature-learning", { epsilon: 1e5 }],
];
console.log(`| tasks | rows | ${columns.map(([head]) => head).join(" | ")} |`);
console.log(`| --- | --- |${columns.map(() => " --- |").join("")}`);
for (const m of numbers(options.tasks)) {
  for (const n of numbers(options.rows)) {
    const draws = vector(Number(options.draws), (_, k) => simulated(k + 1, m, n));
    const cells = [];
    for (const [, method, more] of columns) {
      const found = [];
      for (const one of draws) found.push(await score(one, method, more));
      cells.push(meanAndError(found, (value) => value.toFixed(3)));
    }
    console.log(`| ${m} | ${n} | ${cells.join(" | ")} |`);
  }
}
