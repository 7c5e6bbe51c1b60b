/**
 * Times the lasso of `single-task` against accelerated proximal steps on all tasks at once, until both have a relative duality gap of 1e-8, in
 * turns; and says how far apart their objectives are.
 *
 *   node bench/estimators/lasso.js [--runs 5] [--quick]
 *
 * Milliseconds of the processor, the least of all runs, one thread.
 */
import { parseArgs } from "../parse-args.js";
import { makeEstimator, TaskSet } from "../../build/modules/index.js";
import { l1Penalty } from "../../build/modules/learning/convex/penalties/local.js";
import { solveAccelerated } from "../../build/modules/learning/convex/solvers/accelerated.js";
import { aloneRule } from "../../build/modules/learning/sharing/alone.js";
import { placeTasks } from "../../build/modules/learning/tasks/resident-tasks.js";
import { simulate } from "./simulate.js";

const { values: options } = parseArgs({
  options: { runs: { type: "string", default: "5" }, quick: { type: "boolean", default: false } },
});
const SIZE = { m: 320, d: 30, n: 30 };
const CASES = [
  ["squared", 0.1],
  ["squared", 0.01],
  ["squared", 0.001],
  ["logistic", 0.01],
  ["logistic", 0.001],
].filter(([, lambda]) => !options.quick || lambda >= 0.01);
/** Of a gap. */
const tolerance = 1e-8;
/** Accelerated steps that take seconds are timed once. */
const LONG = 2000;

const { tasks } = simulate(SIZE);
const labelled = TaskSet.adopt({
  x: tasks.x,
  y: tasks.y.map((value) => (value > 0 ? 1 : 0)),
  offsets: tasks.offsets,
  names: tasks.names,
  featureNames: tasks.featureNames,
  targetName: tasks.targetName,
});

/** All tasks together: steps of the smoothness of each, until the gap of their sum is small enough. */
async function together(data, given) {
  const placed = placeTasks(data, given);
  const { m, d, core } = placed.tasks;
  const steps = placed.tasks.smoothness().map((bound) => (bound > 0 ? 1 / bound : 1));
  const lasso = l1Penalty(given.lambda)({ core, m, d, steps });
  let last = 0;
  const shared = {
    curator: () => ({ ...lasso, rule: aloneRule, value: () => lasso.value(last) }),
    projection: () => (broadcast, from, to) => {
      lasso.projection(broadcast, from, to);
      last = to;
    },
  };
  const zeros = { weights: new Float64Array(m * d), intercepts: new Float64Array(m) };
  const rest = { tolerance, maxRounds: given.maxRounds, steps, start: zeros };
  return solveAccelerated({ tasks: placed.tasks, shared, ...rest });
}

async function timed(solve) {
  const before = process.cpuUsage();
  const found = await solve();
  const { user, system } = process.cpuUsage(before);
  return { found, time: (user + system) / 1000 };
}

console.log(
  "| loss | lambda | all at once, ms | task by task, ms | times | most sweeps | objectives apart by |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- |");
for (const [loss, lambda] of CASES) {
  const data = loss === "logistic" ? labelled : tasks;
  const asked = { penalty: "l1", loss, lambda, tolerance, maxRounds: 100_000 };
  const estimator = makeEstimator("single-task", asked);
  const now = () => estimator.fit(data, { threads: 1 });
  const before = () => together(data, estimator.options);
  const least = { now: Infinity, before: Infinity };
  let [fitted, other] = [];
  for (let run = 0; run < Number(options.runs); run++) {
    const one = await timed(now);
    [fitted, least.now] = [one.found, Math.min(least.now, one.time)];
    if (run > 0 && least.before > LONG) continue;
    const all = await timed(before);
    [other, least.before] = [all.found, Math.min(least.before, all.time)];
  }
  const apart = Math.abs(fitted.objective / other.objective - 1);
  const cells = [loss, lambda, least.before.toFixed(0), least.now.toFixed(0)];
  cells.push((least.before / least.now).toFixed(0), fitted.rounds, apart.toExponential(0));
  console.log(`| ${cells.join(" | ")} |`);
}
