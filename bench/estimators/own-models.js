/**
 * Processor time of default private fits, most of which is every task's own model: where the rounds start, and what a
 * task falls back on, on all of its rows and without each of five folds of them.
 *
 *   node bench/estimators/own-models.js [--runs 9] [--rounds 50] [--only REGEXP] [--against FOLDER]
 *
 * Medians of several runs, garbage collection and compilation in them, and the least of them, when all is compiled. FOLDER is the root of another build of this
 * package, which takes turns with this one; then models are compared, too. REGEXP chooses cases by "name method loss".
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "../parse-args.js";
import { simulate } from "./simulate.js";
import { schoolTasks } from "./school.js";

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "9" },
    rounds: { type: "string", default: "50" },
    only: { type: "string", default: "." },
    against: { type: "string" },
  },
});

const here = await import("../../build/modules/index.js");
const there =
  options.against &&
  (await import(pathToFileURL(resolve(options.against, "build/modules/index.js"))));
const builds = [here, ...(there ? [there] : [])];

const random = { mode: "seeded", seed: 1 };
const rounds = { rounds: Number(options.rounds), clip: 10, random };
const usual = simulate({ m: 320, d: 30, n: 30 }).tasks;
const few = simulate({ m: 20_000, d: 10, n: 5 }).tasks;
const school = schoolTasks()?.tasks;
const lowRank = { ...rounds, lambda: 0.1 };
const cases = [
  { data: usual, method: "mp-low-rank", given: lowRank },
  { data: usual, method: "mp-low-rank", given: { ...lowRank, safeguard: false } },
  { data: usual, method: "mp-low-rank", given: { ...lowRank, initial: "zeros", noise: "float" } },
  { data: usual, method: "pmtl", given: rounds },
  { data: usual, method: "private-fedavg", given: rounds },
  { data: usual, method: "single-task", given: {} },
  { data: usual, method: "mp-low-rank", given: { ...lowRank, loss: "logistic" } },
  { data: usual, method: "pmtl", given: { ...rounds, loss: "logistic" } },
  { data: usual, method: "single-task", given: { loss: "logistic" } },
  ...(school ? [{ name: "School", data: school, method: "mp-low-rank", given: rounds }] : []),
  { data: few, method: "mp-low-rank", given: { ...rounds, rounds: 10 }, share: 1 / 3 },
  { data: few, method: "single-task", given: {}, share: 1 / 3 },
];

/** The same tasks as a build's own, with labels where the loss wants them. */
function setOf({ TaskSet }, { x, y, offsets, names, featureNames, targetName }, loss) {
  const targets = loss === "logistic" ? y.map((value) => (value > 0 ? 1 : 0)) : y;
  return TaskSet.adopt({ x, y: targets, offsets, names, featureNames, targetName });
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** The largest difference of a task's weights, relative to its largest weight, of tasks whose weights are more than rounding. */
function difference(one, other) {
  const d = one.weights.length / one.intercepts.length;
  let most = 0;
  one.intercepts.forEach((_, i) => {
    const own = one.weights.subarray(i * d, (i + 1) * d);
    const size = Math.max(...own.map(Math.abs));
    if (size < 1e-12) return;
    own.forEach((w, j) => (most = Math.max(most, Math.abs(w - other.weights[i * d + j]) / size)));
  });
  return most;
}

console.log(
  `| m, d, rows a task | method | ms | least |${there ? " before | least | times | difference |" : ""}\n` +
    `| --- | --- | --- | --- |${there ? " --- | --- | --- | --- |" : ""}`,
);
for (const { name, data, method, given, share = 1 } of cases) {
  if (!new RegExp(options.only).test(`${name ?? ""} ${method} ${given.loss ?? "squared"}`))
    continue;
  const sets = builds.map((build) => setOf(build, data, given.loss));
  const spent = builds.map(() => []);
  const models = [];
  for (let run = 0; run < Math.max(3, options.runs * share); run++) {
    for (const [k, build] of builds.entries()) {
      const start = process.cpuUsage();
      models[k] = await build.makeEstimator(method, given).fit(sets[k]);
      const { user, system } = process.cpuUsage(start);
      spent[k].push((user + system) / 1000);
    }
  }
  const [now, before] = spent.map(median);
  const [least, leastBefore] = spent.map((all) => Math.min(...all));
  const size = `${name ? `${name}: ` : ""}${data.m}, ${data.d}, ${Math.round(data.size / data.m)}`;
  const words = [
    method,
    ...(given.loss ? [given.loss] : []),
    ...(given.safeguard === false ? ["no fallback"] : []),
    ...(given.initial ? ["from zeros", `${given.noise} noise`] : []),
  ].join(", ");
  const compared = there
    ? ` ${before.toFixed(0)} | ${leastBefore.toFixed(0)} | ${(before / now).toFixed(1)} | ${difference(models[0], models[1]).toExponential(0)} |`
    : "";
  console.log(`| ${size} | ${words} | ${now.toFixed(0)} | ${least.toFixed(0)} |${compared}`);
}
