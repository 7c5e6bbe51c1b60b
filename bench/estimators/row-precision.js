/**
 * Whole fits on rows in Float32 (`rowPrecision`) beside the same on rows in Float64: processor time, and on School the errors on
 * rows held out.
 *
 *   node bench/estimators/row-precision.js [--turns 5]
 *
 * The two take turns; best processor times, garbage collection and compilation in them. Float32 adds the rounding of the rows and
 * saves reading half of them in every round.
 */
import process from "node:process";
import { parseArgs } from "../parse-args.js";
import { makeEstimator } from "../../build/modules/index.js";
import { schoolTasks } from "./school.js";
import { simulate } from "./simulate.js";

const { values: options } = parseArgs({ options: { turns: { type: "string", default: "5" } } });
const random = { mode: "seeded", seed: 1 };
const PRECISIONS = ["float64", "float32"];
const PLAIN = { rounds: 50, safeguard: false, random };
const FITS = [
  ["mp-low-rank", { ...PLAIN, clip: 10, initial: "zeros" }],
  ["mp-low-rank", { ...PLAIN, clip: 10, initial: "zeros", loss: "logistic" }],
  ["pmtl", { ...PLAIN, localSteps: 1 }],
  ["pmtl", { ...PLAIN, localSteps: 1, loss: "logistic" }],
  ["private-fedavg", { ...PLAIN, localSteps: 5, loss: "logistic" }],
  ["pmtl", { ...PLAIN, localSteps: 1, batchSize: 10, loss: "logistic" }],
  ["mp-low-rank", { rounds: 50, clip: 10, loss: "logistic", random }],
];
const SIZES = [
  { m: 320, d: 30, n: 30 },
  { m: 1000, d: 300, n: 50 },
];

/** With the sign of the target as label, where the loss wants labels. */
function dataFor({ tasks }, { loss }) {
  if (loss !== "logistic") return tasks;
  const { constructor: TaskSet } = tasks;
  const y = tasks.y.map((value) => Number(value > 0));
  return TaskSet.adopt({ ...tasks.arrays(), y });
}

const seconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

console.log("| m, d, rows a task | method | loss | Float64, ms | Float32, ms | ratio |");
console.log("| --- | --- | --- | --- | --- | --- |");
for (const size of SIZES) {
  const simulated = simulate(size);
  for (const [method, given] of FITS) {
    // Own models of labels at that size take minutes, whatever the rows lie in.
    if (size.d === 300 && given.safeguard === undefined) continue;
    const data = dataFor(simulated, given);
    const best = [Infinity, Infinity];
    for (let turn = 0; turn < Number(options.turns); turn++) {
      // In turns who is first: the engine compiles in the first fits.
      for (const k of turn % 2 ? [0, 1] : [1, 0]) {
        const rowPrecision = PRECISIONS[k];
        const start = seconds();
        await makeEstimator(method, {
          ...given,
          epsilon: 5,
          rowPrecision,
          featureBound: undefined,
        }).fit(data);
        best[k] = Math.min(best[k], seconds() - start);
      }
    }
    const { loss = "squared", batchSize, localSteps } = given;
    const how = [localSteps && `${localSteps} steps`, batchSize && `batches of ${batchSize}`];
    const words = [method, ...how.filter(Boolean)].join(", ");
    console.log(
      `| ${size.m}, ${size.d}, ${size.n} | ${words} | ${loss} | ` +
        `${best.map((s) => (1000 * s).toFixed(0)).join(" | ")} | ${(best[1] / best[0]).toFixed(2)} |`,
    );
  }
}

const school = schoolTasks();
if (!school) console.log("(School is not there)");
else {
  const { train, test } = school.tasks.split({ trainFraction: 0.7, seed: "rows" });
  console.log("\n| School | Float64, nMSE | differs by |\n| --- | --- | --- |");
  for (const [method, given] of [
    ["mp-low-rank", { rounds: 30, clip: 90, lambda: 3 }],
    ["mp-group-sparse", { rounds: 30, clip: 90, lambda: 3 }],
    ["pmtl", { rounds: 30, clip: 80, lambda: 3e-4, localSteps: "solve" }],
    ["private-fedavg", { rounds: 30, clip: 80 }],
  ]) {
    const errors = [];
    for (const rowPrecision of PRECISIONS) {
      const model = await makeEstimator(method, { ...given, epsilon: 1, rowPrecision, random }).fit(
        train,
      );
      errors.push(model.score(test).nmse);
    }
    console.log(
      `| ${method} | ${errors[0].toFixed(4)} | ${Math.abs(errors[1] - errors[0]).toExponential(1)} |`,
    );
  }
}
