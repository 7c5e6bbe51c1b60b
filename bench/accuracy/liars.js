/**
 * What liars do to a mean of updates, and what is left of it with a robust one: 200 tasks of one linear model, some of which
 * learn from targets turned around and thirty times as large; the error of the shared model over seeds, and what the robust means cost where
 * nobody lies.
 *
 *   node bench/accuracy/liars.js [--tasks 200] [--epsilon 4] [--seeds 10]
 */
import { parseArgs } from "../parse-args.js";
import { seededUniforms, TaskSet } from "../../build/modules/data/index.js";
import { makeEstimator } from "../../build/modules/index.js";

const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "200" },
    epsilon: { type: "string", default: "4" },
    seeds: { type: "string", default: "10" },
  },
});
const [m, epsilon, seeds] = [values.tasks, values.epsilon, values.seeds].map(Number);
const truth = [0.8, -0.5, 0.3, 0.1];

/** Tasks of one model with noise; the first `liars` of a hundred lie. */
function tasks(liars, seed) {
  const uniform = seededUniforms(seed, "liars");
  const list = Array.from({ length: m }, (_, i) => {
    const x = Array.from({ length: 30 }, () => truth.map(() => 2 * uniform() - 1));
    const sign = (i * 37) % 100 < liars ? -30 : 1;
    const y = x.map(
      (row) => sign * (row.reduce((sum, value, j) => sum + value * truth[j], 0) + uniform() - 0.5),
    );
    return { name: `t${i}`, x, y };
  });
  return TaskSet.from(list);
}

const options = { epsilon, delta: 1e-5, rounds: 20, clip: 0.5, localSteps: 2, intercept: false };
const aggregates = [
  "mean",
  "trimmed-mean:0.1",
  "trimmed-mean:0.25",
  "median-of-means:3",
  "median-of-means:9",
];
const valueOf = (text) => {
  const [kind, number] = text.split(":");
  if (kind === "mean") return { kind };
  return kind === "trimmed-mean"
    ? { kind, share: Number(number) }
    : { kind, groups: Number(number) };
};

console.log(
  `${m} tasks, epsilon ${epsilon}, ${seeds} seeds: root mean square error of the shared model`,
);
console.log(`| aggregate | noise of the mean | 0 % lie | 2 % | 10 % | 20 % | 30 % |`);
for (const aggregate of aggregates) {
  const cells = [];
  let noise = 0;
  for (const liars of [0, 2, 10, 20, 30]) {
    let squares = 0;
    for (let seed = 0; seed < seeds; seed++) {
      const model = await makeEstimator("private-fedavg", {
        ...options,
        aggregate: valueOf(aggregate),
        safeguard: false,
        random: { mode: "seeded", seed },
      }).fit(tasks(liars, seed));
      noise = model.history[0].noiseScale;
      squares += truth.reduce((sum, value, j) => sum + (model.weights[j] - value) ** 2, 0) / seeds;
    }
    cells.push(Math.sqrt(squares).toFixed(3));
  }
  console.log(`| ${aggregate} | ${noise.toFixed(4)} | ${cells.join(" | ")} |`);
}
