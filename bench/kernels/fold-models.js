/**
 * Own models on folds: in single precision, four side by side, against doubles, one by one, in turns.
 *
 *   node bench/kernels/fold-models.js
 *
 * Microseconds of a processor a fold, the least of several passes over all folds.
 */
import { cpuUsage } from "node:process";
import { openCore } from "../../build/modules/core/index.js";
import { TaskSet } from "../../build/modules/index.js";
import { foldBatches } from "../../build/modules/learning/local-selection/folds.js";
import { foldRidge, ownRidge } from "../../build/modules/learning/tasks/own-models/own-ridge.js";
import { ResidentTasks } from "../../build/modules/learning/tasks/resident-tasks.js";
import { simulate } from "../estimators/simulate.js";
import { parseArgs } from "../parse-args.js";

parseArgs({ options: {} });

const RUNS = 40;
const sizes = [
  [320, 30, 30],
  [320, 50, 30],
  [139, 110, 28],
  [320, 60, 100],
  [100, 200, 100],
  [20_000, 5, 10],
  [1000, 20, 5],
];
/** Without an intercept, and with one whose variance is in the grid: two ratios, two tridiagonal forms. */
const kinds = [
  { intercept: false, known: { features: false, target: false } },
  { intercept: true, known: { features: true, target: true } },
];

console.log(
  "| m, n, d | ratios | µs in doubles | single | times |\n| --- | --- | --- | --- | --- |",
);
for (const [m, n, d] of sizes) {
  const { x, y, offsets, names, featureNames, targetName } = simulate({ m, d, n }).tasks;
  const set = TaskSet.adopt({ x, y, offsets, names, featureNames, targetName });
  const batches = [...foldBatches(set)];
  const folds = batches.reduce((sum, { owners }) => sum + owners.length, 0);
  for (const { intercept, known } of kinds) {
    const given = { loss: "squared", lossScale: "mean", intercept };
    const tasks = new ResidentTasks(openCore(), set, set.y, given);
    const multiples = known.features ? new Float64Array(d).fill(1) : undefined;
    Object.assign(tasks, { known: { ...known, multiples } });
    const least = [Infinity, Infinity];
    for (let run = 0; run < (m > 1000 ? RUNS / 8 : RUNS); run++) {
      for (const [k, solve] of [ownRidge, foldRidge].entries()) {
        const start = cpuUsage();
        for (const batch of batches) solve(tasks, batch);
        const { user, system } = cpuUsage(start);
        least[k] = Math.min(least[k], user + system);
      }
    }
    const [doubles, single] = least.map((spent) => spent / folds);
    const times = (doubles / single).toFixed(1);
    console.log(
      `| ${m}, ${n}, ${d} | ${intercept ? 2 : 1} | ${doubles.toFixed(1)} | ${single.toFixed(1)} | ${times} |`,
    );
  }
}
