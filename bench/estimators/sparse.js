/**
 * Time, processor time of all threads, and peak memory of fits on sparse rows of the size of a public table of ratings:
 * 943 people (tasks) of 20 to 737 rows, 1,682 items (features, one of them 1 in a row) and about 100,000 ratings, simulated
 * from a seed, as numbers or as labels. Methods have their defaults but for the seed, and record-level ones a bound on slopes.
 * Each fit in a process of its own, on as many threads as the command line would take.
 *
 *   node bench/estimators/sparse.js [--fits pmtl,pmtl:labels,mp-low-rank] [--threads 1] [--rounds 10]
 */
import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../parse-args.js";
import { makeEstimator } from "../../dist/index.js";
import { openTaskWorkers } from "../../dist/node/index.js";
import { ratings } from "./ratings.js";

const random = { mode: "seeded", seed: 1 };
const records = { random, slopeBound: 1 };
const METHODS = {
  pmtl: { random },
  "private-fedavg": { random },
  "private-fedprox": { random },
  ppsgd: { random },
  "pmtl-projected": { random },
  "joint-dp-sgd": { random },
  "mp-group-sparse": { random },
  "mp-low-rank": { random },
  "mp-low-rank-sparse": { random },
  "dp-aggregation": records,
  "dp-task-relationship": records,
  "single-task": {},
  pooled: {},
  "trace-norm": {},
  "group-sparse": {},
  "low-rank-sparse": {},
  "mean-regularized": {},
  "task-relationship": {},
};
const LABELLED = [
  "pmtl",
  "mp-low-rank",
  "mp-low-rank-sparse",
  "single-task",
  "pooled",
  "mean-regularized",
];
const ALL = [...Object.keys(METHODS), ...LABELLED.map((method) => `${method}:labels`)];
const { values: options } = parseArgs({
  options: {
    fits: { type: "string", default: ALL.join(",") },
    threads: { type: "string", default: "auto" },
    rounds: { type: "string" },
    one: { type: "boolean", default: false },
  },
});

if (options.one) {
  const [method, kind] = options.fits.split(":");
  const labels = kind === "labels";
  const tasks = ratings({ people: 943, items: 1682, total: 100_000, labels });
  const loss = labels ? { loss: "logistic" } : {};
  const rounds = options.rounds ? { rounds: Number(options.rounds) } : {};
  const workers = openTaskWorkers();
  const threads = options.threads === "auto" ? "auto" : Number(options.threads);
  const before = process.cpuUsage();
  const start = performance.now();
  const model = await makeEstimator(method, { ...METHODS[method], ...loss, ...rounds }).fit(tasks, {
    threads,
    workers,
  });
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  workers.close();
  const peak = process.resourceUsage().maxRSS / 1024;
  const used = model.threads?.used ?? 1;
  console.log(
    `${options.fits}: ${seconds.toFixed(1)} s, processor ${((user + system) / 1e6).toFixed(1)} s on ${used} threads, peak of the process ${peak.toFixed(0)} MB`,
  );
} else {
  for (const name of options.fits.split(",")) {
    const self = fileURLToPath(import.meta.url);
    const rounds = options.rounds ? ["--rounds", options.rounds] : [];
    const given = ["--one", "--fits", name, "--threads", options.threads, ...rounds];
    const { status } = spawnSync(process.execPath, [self, ...given], { stdio: "inherit" });
    if (status !== 0) process.exitCode = status ?? 1;
  }
}
